#include "libs/notation/shogi/usi.h"

#include <algorithm>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/shogi_letters.h"
#include "libs/notation/text.h"
#include "libs/rules/setup.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Move;
using rules::Square;

// Not valid() unless `text` starts with a square of the board.
Square SquareOf(rules::Variant variant, std::string_view text) {
  if (text.size() < 2) return {};
  const int file = text[0] - '1';
  const int rank = Lower(text[1]) - 'a';
  const bool digits =
      file >= 0 && file < rules::Setup::kMaxFiles && rank >= 0 && rank < rules::Setup::kMaxFiles;
  if (!digits || !rules::OnBoard(variant, Square(file, rank))) return {};
  return Square(file, rank);
}

void Append(Square square, std::string& out) {
  out += static_cast<char>('1' + square.file());
  out += static_cast<char>('a' + square.rank());
}

}  // namespace

Result<Move> ParseUsi(rules::Variant variant, std::string_view text) {
  text = Trim(text);
  const auto bad = [text](std::string_view what) { return TextError(kInvalidMove, what, text); };
  if (text.size() < 4 || text.size() > 5) return bad("not a USI move");
  const Square to = SquareOf(variant, text.substr(2));
  if (!to.valid()) return bad("target is not a square of the board");
  if (text[1] == '*') {
    const Kind kind = ShogiKindOfLetter(text[0]);
    if (text.size() != 4 || Upper(text[0]) != text[0] ||
        std::ranges::find(rules::shogi::kHandKinds, kind) == std::end(rules::shogi::kHandKinds)) {
      return bad("not a USI drop");
    }
    return Move::Drop(kind, to);
  }
  const Square from = SquareOf(variant, text);
  if (!from.valid()) return bad("origin is not a square of the board");
  if (text.size() == 5 && text[4] != '+') return bad("not a USI move");
  return Move::Board(from, to, text.size() == 5);
}

std::string FormatUsi(Move move) {
  std::string out;
  if (move.is_drop()) {
    out += LetterOfShogiKind(move.dropped);
    out += '*';
    Append(move.to, out);
    return out;
  }
  Append(move.from, out);
  Append(move.to, out);
  if (move.promotes) out += '+';
  return out;
}

}  // namespace komadai::notation
