#include <algorithm>
#include <optional>

#include "libs/notation/errors.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/notation/records/readers.h"
#include "libs/notation/records/record_builder.h"
#include "libs/notation/records/result_words.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

using rules::Kings;
using rules::Move;
using rules::Position;
using rules::Variant;

using Words = std::vector<std::string_view>;

// Rows tell the game: 5 minishogi, 9 shogi, 10 xiangqi.
Variant VariantOfBoard(std::string_view board, Variant otherwise) {
  switch (std::ranges::count(board, '/')) {
    case 4:
      return Variant::kMinishogi;
    case 8:
      return Variant::kShogi;
    case 9:
      return Variant::kXiangqi;
    default:
      return otherwise;
  }
}

std::string Join(const Words& words, std::size_t first, std::size_t last) {
  std::string out;
  for (std::size_t i = first; i < last; ++i) {
    if (!out.empty()) out += ' ';
    out += words[i];
  }
  return out;
}

// The words in front of "moves"; `next` becomes the index behind that word.
Result<Position> StartOf(const Words& words, Variant variant, std::size_t& next) {
  std::size_t first = !words.empty() && words[0] == "position" ? 1 : 0;
  const auto moves = static_cast<std::size_t>(std::ranges::find(words, "moves") - words.begin());
  next = std::min(moves + 1, words.size());
  if (first == moves && moves < words.size()) return rules::StartPosition(variant);
  if (first >= words.size()) return Error(kBadRecord, "the position line is empty");
  if (words[first] == "startpos") {
    if (moves != first + 1) return Error(kBadRecord, "\"moves\" expected after startpos");
    return rules::StartPosition(variant);
  }
  if (words[first] == "sfen" || words[first] == "fen") ++first;
  if (first >= moves) return Error(kBadRecord, "the position is missing");
  if (words[first].find('/') == std::string_view::npos) {
    return TextError(kBadRecord, "startpos or a position expected", words[first]);
  }
  return ParsePosition(VariantOfBoard(words[first], variant), Join(words, first, moves),
                       Kings::kOptional);
}

Status ReadLine(const Words& words, Reading& reading) {
  std::size_t next = 0;
  const Result<Position> start = StartOf(words, reading.variant, next);
  if (!start) return start.error();
  RecordBuilder builder(*start, reading.warnings, reading.nodes_left);
  for (std::size_t i = next; i < words.size(); ++i) {
    const Position& position = builder.position();
    const std::optional<RecordResult> result =
        ResultOfUsi(words[i], position.variant(), position.side_to_move());
    if (result) {
      builder.record().result = *result;
      if (i + 1 < words.size())
        return TextError(kBadRecord, "there is text after the end of the game", words[i + 1]);
      break;
    }
    const Result<Move> move = ParseMove(position, words[i], NotationsOf(position.variant())[0]);
    if (!move) return move.error();
    if (Status added = builder.AddMove(*move); !added) return added;
  }
  reading.games.push_back(builder.Finish());
  return {};
}

}  // namespace

Status ReadUsi(std::string_view text, Reading& reading) {
  for (const TextLine& line : SplitLines(text)) {
    const Words words = SplitBlanks(line.text);
    if (words.empty() || words[0].starts_with('#')) continue;
    if (reading.games.size() >= kMaxRecordGames) {
      return AtLine(Error(kRecordTooLarge, "the file contains too many games"), line.number);
    }
    if (Status read = ReadLine(words, reading); !read) return AtLine(read.error(), line.number);
  }
  if (reading.games.empty()) return Error(kBadRecord, "the file contains no game");
  return {};
}

std::string WriteUsi(const GameRecord& record, Warnings& warnings) {
  std::string out = "position ";
  const bool plain =
      record.variant() == Variant::kShogi &&
      FormatPosition(record.start) == FormatPosition(rules::StartPosition(Variant::kShogi));
  if (plain) {
    out += "startpos";
  } else {
    // "startpos" does not say which game it starts.
    out += record.variant() == Variant::kXiangqi ? "fen " : "sfen ";
    out += FormatPosition(record.start);
  }
  if (!record.moves.empty() || plain) out += " moves";
  for (const RecordedMove& move : record.moves) {
    out += ' ' + FormatPlainMove(record.variant(), move.move);
  }
  if (record.result.known()) warnings.Add("USI lines have no place for the result");
  if (!record.variations.empty()) warnings.Add("USI lines have no place for variations");
  const bool comments =
      !record.comment.empty() || std::ranges::any_of(record.moves, [](const RecordedMove& move) {
        return !move.comment.empty();
      });
  if (comments) warnings.Add("USI lines have no place for comments");
  const bool times = std::ranges::any_of(
      record.moves, [](const RecordedMove& move) { return move.used.has_value(); });
  if (times) warnings.Add("USI lines have no place for times");
  if (!record.first_name.empty() || !record.second_name.empty() || !record.headers.empty()) {
    warnings.Add("USI lines have no place for names and headers");
  }
  return out + '\n';
}

}  // namespace komadai::notation
