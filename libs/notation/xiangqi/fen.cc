#include "libs/notation/xiangqi/fen.h"

#include <optional>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/text.h"
#include "libs/rules/xiangqi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Piece;
using rules::Setup;
using rules::Side;
using rules::Square;

constexpr int kFiles = 9;
constexpr int kRanks = 10;
constexpr int kMaxMoveNumber = 1'000'000;
// By the index of the kind; the second row holds the letters of other programs.
constexpr std::string_view kLetters = "?KABNRCP";
constexpr std::string_view kAliases = "???EH???";

Error Bad(std::string_view what, std::string_view text) {
  return TextError(kInvalidPosition, what, text);
}

Kind KindOfLetter(char letter) {
  std::size_t found = kLetters.find(Upper(letter), 1);
  if (found == std::string_view::npos) found = kAliases.find(Upper(letter), 1);
  if (found == std::string_view::npos || letter == '?') return Kind::kNone;
  return static_cast<Kind>(found);
}

Status ParseRow(std::string_view row, int rank, Setup& setup) {
  int file = 0;
  for (const char c : row) {
    if (c >= '1' && c <= '9') {
      file += c - '0';
    } else {
      const Kind kind = KindOfLetter(c);
      if (kind == Kind::kNone) return Bad("not a piece in a FEN row", row);
      if (file >= kFiles) return Bad("FEN row too long", row);
      setup.Put(Square(file++, rank), Piece{kind, Upper(c) == c ? Side::kFirst : Side::kSecond});
    }
    if (file > kFiles) return Bad("FEN row too long", row);
  }
  if (file != kFiles) return Bad("FEN row too short", row);
  return {};
}

Status ParseBoard(std::string_view board, Setup& setup) {
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    const std::size_t end = board.find('/');
    if ((end == std::string_view::npos) != (rank == 0)) {
      return Bad("wrong number of rows in a FEN", board);
    }
    if (Status row = ParseRow(board.substr(0, end), rank, setup); !row) return row;
    board.remove_prefix(end == std::string_view::npos ? board.size() : end + 1);
  }
  return {};
}

std::optional<Side> ParseSide(std::string_view text) {
  if (text == "w" || text == "r") return Side::kFirst;
  if (text == "b") return Side::kSecond;
  return std::nullopt;
}

// The fields behind the side: maybe an empty pocket, up to two dashes, then up to two numbers.
Status ParseCounters(std::vector<std::string_view> fields, Setup& setup) {
  if (fields.size() > 2 && IsEmptyPocket(fields[2])) fields.erase(fields.begin() + 2);
  std::size_t next = 2;
  while (next < fields.size() && next < 4 && fields[next] == "-") ++next;
  int counters[] = {0, 1};
  std::size_t count = 0;
  for (; next < fields.size(); ++next, ++count) {
    const std::optional<int> value = ParseCount(fields[next]);
    if (!value || *value > kMaxMoveNumber || count == 2) {
      return Bad("unexpected field in a FEN", fields[next]);
    }
    counters[count] = *value;
  }
  const int number = counters[1] == 0 ? 1 : counters[1];  // several programs count from 0
  setup.quiet_plies = counters[0];
  setup.move_number = 2 * (number - 1) + (setup.side_to_move == Side::kFirst ? 1 : 2);
  return {};
}

}  // namespace

Result<Setup> ParseFen(std::string_view text) {
  std::vector<std::string_view> fields = SplitBlanks(text);
  if (!fields.empty() && fields[0] == "fen") fields.erase(fields.begin());
  if (fields.size() == 1 && fields[0] == "startpos") return ParseFen(kXiangqiStart);
  if (fields.size() < 2 || fields.size() > 7) {
    return Bad("a FEN has a board, a side and four more fields", text);
  }
  Setup setup;
  setup.variant = rules::Variant::kXiangqi;
  if (Status board = ParseBoard(WithoutEmptyPocket(fields[0]), setup); !board) return board.error();
  const std::optional<Side> side = ParseSide(fields[1]);
  if (!side) return Bad("side to move must be w or b", fields[1]);
  setup.side_to_move = *side;
  if (Status counters = ParseCounters(std::move(fields), setup); !counters) {
    return counters.error();
  }
  return setup;
}

std::string FormatFen(const Setup& setup) {
  std::string out;
  for (int rank = kRanks - 1; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < kFiles; ++file) {
      const Piece piece = setup.at(Square(file, rank));
      if (piece.empty()) {
        ++empty;
        continue;
      }
      if (empty > 0) out += std::to_string(empty);
      empty = 0;
      const char letter = kLetters[static_cast<std::size_t>(Index(piece.kind))];
      out += piece.side == Side::kFirst ? letter : Lower(letter);
    }
    if (empty > 0) out += std::to_string(empty);
    if (rank > 0) out += '/';
  }
  out += setup.side_to_move == Side::kFirst ? " w - - " : " b - - ";
  const int number = (setup.move_number + 1) / 2;
  return out + std::to_string(setup.quiet_plies) + " " + std::to_string(number);
}

}  // namespace komadai::notation
