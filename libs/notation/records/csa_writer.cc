#include <algorithm>
#include <cstdio>

#include "libs/notation/records/csa_board.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/shogi/csa_move.h"

namespace komadai::notation {
namespace {

using rules::Position;
using rules::Side;

// Header keys CSA knows; others are left out.
constexpr std::string_view kKeys[] = {"EVENT",      "SITE",    "START_TIME", "END_TIME",
                                      "TIME_LIMIT", "OPENING", "NOTE"};

void AppendComment(std::string_view comment, std::string& out) {
  while (!comment.empty()) {
    const std::size_t end = comment.find('\n');
    out += "'*";
    out += comment.substr(0, end);
    out += '\n';
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
  }
}

void AppendHeaders(const GameRecord& record, std::string& out, Warnings& warnings) {
  for (const auto& [key, value] : record.headers) {
    if (std::ranges::count(kKeys, key) > 0) {
      out += "$" + key + ":" + value + "\n";
    } else {
      warnings.Add("CSA has no header " + key);
    }
  }
  const auto date = [&](const char* key, std::optional<std::chrono::milliseconds> at) {
    if (at && !record.headers.contains(key)) {
      out += "$" + std::string(key) + ":" + DateText(*at) + "\n";
    }
  };
  date("START_TIME", record.started_at);
  date("END_TIME", record.ended_at);
}

}  // namespace

std::string WriteCsa(const GameRecord& record, Warnings& warnings) {
  std::string out = "V2.2\n";
  if (!record.first_name.empty()) out += "N+" + record.first_name + "\n";
  if (!record.second_name.empty()) out += "N-" + record.second_name + "\n";
  AppendHeaders(record, out, warnings);
  out += FormatCsaBoard(record.start);
  out += record.start.side_to_move() == Side::kFirst ? "+\n" : "-\n";
  AppendComment(record.comment, out);

  Position position = record.start;
  for (const RecordedMove& move : record.moves) {
    out += FormatCsa(position, move.move) + "\n";
    if (move.used) {
      if (move.used->count() % 1000 != 0) warnings.Add("CSA 2.2 has whole seconds");
      out += "T" + std::to_string(move.used->count() / 1000) + "\n";
    }
    AppendComment(move.comment, out);
    position.PlayUnchecked(move.move);
  }
  bool exact = true;
  const std::string_view word = CsaWordFor(record.result, position.side_to_move(), exact);
  if (!exact) warnings.Add("CSA has no word for this ending");
  if (!word.empty()) out += "%" + std::string(word) + "\n";
  if (!record.variations.empty()) warnings.Add("CSA has no variations");
  return out;
}

}  // namespace komadai::notation
