#include "libs/conformance/record_check.h"

#include <algorithm>
#include <exception>

#include "libs/conformance/checks.h"

namespace komadai::conformance {
namespace {

CheckResult Check(const Json& record, Judge& judge, const CheckOptions& options) {
  if (!record.is_object()) Fail("malformed record: not an object");
  const bool is_game = record.contains("board_status") || record.contains("status_by_ttakji_rules");
  if (record.contains("nodes")) {
    if (static_cast<std::uint64_t>(Integer(record, "nodes")) > options.max_perft_nodes) {
      return {Outcome::kSkipped, "more nodes than asked for"};
    }
    CheckPerft(record, judge);
  } else if (record.contains("legal")) {
    CheckLegality(BoardOf(record), record, judge);
  } else if (IsAboutNotation(record)) {
    CheckNotation(record, judge);
  } else if (record.contains("occurrences")) {
    CheckRepetitionTable(record);
  } else if (record.contains("moves")) {
    const bool about_end = record.contains("expect");
    const bool about_counts = record.contains("legal_counts");
    if (about_end) CheckOutcome(record, judge);
    if (about_counts) CheckPlayout(record, judge);
    if (is_game || (!about_end && !about_counts)) CheckGame(record, judge);
  } else {
    Fail("the record is of no known kind");
  }
  return {};
}

CheckResult Failed(std::string message) {
  std::ranges::replace_if(
      message, [](unsigned char c) { return c < ' '; }, ' ');
  return {Outcome::kFailed, std::move(message)};
}

}  // namespace

CheckResult CheckRecord(const Json& record, Judge& judge, const CheckOptions& options) {
  try {
    return Check(record, judge, options);
  } catch (const Mismatch& mismatch) {
    return Failed(mismatch.message);
  } catch (const std::exception& malformed) {
    return Failed(std::string("malformed record: ") + malformed.what());
  }
}

}  // namespace komadai::conformance
