#include "libs/notation/shogi/western.h"

#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/shogi_letters.h"
#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Move;
using rules::Position;
using rules::Square;

void Append(Square square, WesternSquares style, std::string& out) {
  out += static_cast<char>('1' + square.file());
  out += static_cast<char>((style == WesternSquares::kLetters ? 'a' : '1') + square.rank());
}

}  // namespace

std::string FormatWestern(const Position& position, Move move, WesternSquares squares) {
  const Kind kind = MovedKind(position, move);
  std::string out;
  if (rules::shogi::IsPromoted(kind)) out += '+';
  out += LetterOfShogiKind(kind);
  if (move.is_drop()) {
    out += '*';
    Append(move.to, squares, out);
    return out;
  }
  if (Reaching(position, kind, move.to).size() > 1) Append(move.from, squares, out);
  out += position.at(move.to).empty() ? '-' : 'x';
  Append(move.to, squares, out);
  if (move.promotes) {
    out += '+';
  } else if (position.CanPromote(move.from, move.to)) {
    out += '=';
  }
  return out;
}

namespace {

bool IsSeparator(char32_t c) {
  return c == U'-' || c == U'x' || c == U'X' || c == U'*' || c == U'\'' || c == U'@';
}

// Reads `text` from the front.
class Reader {
 public:
  Reader(rules::Variant variant, std::u32string_view text) : variant_(variant), text_(text) {}

  bool Take(char32_t wanted) {
    if (text_.empty() || text_[0] != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }
  Square TakeSquare() {
    const Square square = text_.size() < 2 ? Square() : SquareFrom(variant_, text_[0], text_[1]);
    if (square.valid()) text_.remove_prefix(2);
    return square;
  }
  Kind TakeKind() {
    if (text_.empty() || text_[0] > U'z') return Kind::kNone;
    const Kind kind = ShogiKindOfLetter(static_cast<char>(text_[0]));
    if (kind != Kind::kNone) text_.remove_prefix(1);
    return kind;
  }
  // U'\0' if the next character is not a separator.
  char32_t TakeSeparator() {
    if (text_.empty() || !IsSeparator(text_[0])) return U'\0';
    const char32_t separator = text_[0];
    text_.remove_prefix(1);
    return separator;
  }
  bool done() const { return text_.empty(); }

 private:
  rules::Variant variant_;
  std::u32string_view text_;
};

struct Said {
  SaidMove move;
  bool captures = false;
};

Result<Said> ReadText(const Position& position, std::string_view text) {
  const auto bad = [text](std::string_view what) { return TextError(kInvalidMove, what, text); };
  std::u32string decoded = DecodeUtf8(text);
  for (char32_t& c : decoded) {
    if (c == U'＋') c = U'+';
    if (c == U'＝') c = U'=';
    if (c == U'−' || c == U'–' || c == U'－') c = U'-';
  }
  Reader reader(position.variant(), decoded);
  Said said;
  const bool promoted = reader.Take(U'+');
  const Kind kind = reader.TakeKind();
  if (kind == Kind::kNone) return bad("a western move begins with a piece");
  if (promoted && !rules::shogi::CanPromote(kind)) return bad("piece cannot be promoted");
  said.move.kind = promoted ? rules::shogi::Promoted(kind) : kind;
  const Square first = reader.TakeSquare();
  const char32_t separator = reader.TakeSeparator();
  const Square second = reader.TakeSquare();
  said.move.to = second.valid() ? second : first;
  if (second.valid()) said.move.from = first;
  if (!said.move.to.valid()) return bad("target is not a square of the board");
  if (separator != U'\0' && !second.valid()) return bad("target is not a square of the board");
  said.captures = separator == U'x' || separator == U'X';
  said.move.drop = separator == U'*' || separator == U'\'' || separator == U'@';
  if (said.move.drop && first.valid()) return bad("a drop has no origin");
  said.move.promotes = reader.Take(U'+');
  if (!said.move.promotes) reader.Take(U'=');
  if (!reader.done()) return bad("not a western move");
  return said;
}

}  // namespace

Result<Move> ParseWestern(const Position& position, std::string_view text) {
  text = Trim(text);
  if (text.size() > kMaxQuotedBytes)
    return TextError(kInvalidMove, "the move text is too long", text);
  Result<Said> said = ReadText(position, text);
  if (!said) return said.error();
  if (said->captures && position.at(said->move.to).empty()) {
    return TextError(kInvalidMove, "there is nothing to capture on the target square", text);
  }
  const std::vector<Move> legal = LegalMatches(position, said->move);
  if (legal.size() == 1) return legal[0];
  // A board move wins over a drop, which has its own mark.
  if (legal.size() == 2 && legal[1].is_drop() && !said->move.drop) return legal[0];
  if (legal.empty()) return WhyNoMatch(position, said->move, text);
  return TextError(kAmbiguousMove, "several pieces can make this move", text);
}

}  // namespace komadai::notation
