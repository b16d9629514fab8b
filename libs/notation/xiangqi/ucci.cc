#include "libs/notation/xiangqi/ucci.h"

#include "libs/notation/errors.h"
#include "libs/notation/text.h"

namespace komadai::notation {
namespace {

using rules::Move;
using rules::Square;

Square SquareOf(std::string_view text) {
  const int file = Lower(text[0]) - 'a';
  const int rank = text[1] - '0';
  if (file < 0 || file > 8 || rank < 0 || rank > 9) return {};
  return Square(file, rank);
}

void Append(Square square, std::string& out) {
  out += static_cast<char>('a' + square.file());
  out += static_cast<char>('0' + square.rank());
}

}  // namespace

Result<Move> ParseUcci(std::string_view text) {
  text = Trim(text);
  const bool dashed = text.size() == 5 && text[2] == '-';
  if (text.size() != 4 && !dashed) {
    const bool ten = text.find("10") != std::string_view::npos;
    return TextError(kInvalidMove, ten ? "ranks count from 0 to 9" : "not a UCCI move", text);
  }
  const Square from = SquareOf(text);
  const Square to = SquareOf(text.substr(dashed ? 3 : 2));
  if (!from.valid() || !to.valid()) return TextError(kInvalidMove, "not a UCCI move", text);
  return Move::Board(from, to);
}

std::string FormatUcci(Move move) {
  std::string out;
  Append(move.from, out);
  Append(move.to, out);
  return out;
}

}  // namespace komadai::notation
