#include "libs/conformance/vector_file.h"

#include <nlohmann/json.hpp>

#include "libs/conformance/fields.h"

namespace komadai::conformance {
namespace {

std::string IdOf(const Json& record) {
  if (!record.is_object() || !record.contains("id")) return "?";
  const Json& id = record["id"];
  const std::string shown = Show(id);
  // Without its quotes, but with what the quotes hide still escaped.
  return id.is_string() ? shown.substr(1, shown.size() - 2) : shown;
}

CheckedRecord CheckLine(const std::string& line, Judge& judge, const CheckOptions& options) {
  const Json record = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  CheckedRecord checked;
  checked.id = IdOf(record);
  checked.result = record.is_discarded() ? CheckResult{Outcome::kFailed, "the line is not JSON"}
                                         : CheckRecord(record, judge, options);
  return checked;
}

}  // namespace

Tally CheckLines(std::istream& lines, Judge& judge, const CheckOptions& options,
                 const std::function<void(const CheckedRecord&)>& see) {
  Tally tally;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    CheckedRecord checked = CheckLine(line, judge, options);
    checked.line = number;
    const Outcome outcome = checked.result.outcome;
    ++(outcome == Outcome::kPassed   ? tally.passed
       : outcome == Outcome::kFailed ? tally.failed
                                     : tally.skipped);
    see(checked);
  }
  return tally;
}

}  // namespace komadai::conformance
