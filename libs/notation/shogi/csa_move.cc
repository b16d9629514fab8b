#include "libs/notation/shogi/csa_move.h"

#include <algorithm>
#include <array>

#include "libs/notation/errors.h"
#include "libs/notation/shogi/shogi_moves.h"
#include "libs/notation/shogi/shogi_squares.h"
#include "libs/notation/text.h"
#include "libs/rules/illegal.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::notation {
namespace {

using rules::Kind;
using rules::Move;
using rules::Side;
using rules::Square;

// By the index of the kind.
constexpr std::array<std::string_view, 15> kNames = {"",   "FU", "KY", "KE", "GI", "KA", "HI", "KI",
                                                     "OU", "TO", "NY", "NK", "NG", "UM", "RY"};

void Append(Square square, std::string& out) {
  out += static_cast<char>('1' + square.file());
  out += static_cast<char>('1' + square.rank());
}

bool IsSigned(std::string_view text) { return !text.empty() && (text[0] == '+' || text[0] == '-'); }

}  // namespace

std::string_view CsaNameOf(Kind kind) {
  const auto index = static_cast<std::size_t>(Index(kind));
  return index < kNames.size() ? kNames[index] : std::string_view();
}

Kind KindOfCsaName(std::string_view name) {
  const auto* const found = std::find(kNames.begin() + 1, kNames.end(), name);
  return found == kNames.end() ? Kind::kNone : static_cast<Kind>(found - kNames.begin());
}

std::string FormatCsa(const rules::Position& position, Move move) {
  std::string out(1, position.side_to_move() == Side::kFirst ? '+' : '-');
  if (move.is_drop()) {
    out += "00";
  } else {
    Append(move.from, out);
  }
  Append(move.to, out);
  const Kind kind = MovedKind(position, move);
  out += CsaNameOf(move.promotes ? rules::shogi::Promoted(kind) : kind);
  return out;
}

Result<Move> ParseCsa(const rules::Position& position, std::string_view text) {
  text = Trim(text);
  const auto bad = [text](std::string_view what) { return TextError(kInvalidMove, what, text); };
  std::string_view body = text;
  if (IsSigned(text)) {
    const Side side = text[0] == '+' ? Side::kFirst : Side::kSecond;
    if (side != position.side_to_move()) {
      return TextError(rules::ReasonOf(rules::Illegal::kWrongSide), "this side is not to move",
                       text);
    }
    body.remove_prefix(1);
  }
  if (body.size() != 6 ||
      !std::all_of(body.begin(), body.begin() + 4, [](char c) { return c >= '0' && c <= '9'; })) {
    return bad("not a CSA move");
  }
  const auto square = [&position, body](std::size_t at) {
    return SquareFrom(position.variant(), static_cast<char32_t>(body[at]),
                      static_cast<char32_t>(body[at + 1]));
  };
  const Kind after = KindOfCsaName(body.substr(4));
  if (after == Kind::kNone) return bad("unknown CSA piece");
  const Square to = square(2);
  if (!to.valid()) return bad("target is not a square of the board");
  if (body.starts_with("00")) {
    if (rules::shogi::IsPromoted(after) || after == rules::shogi::kKing) {
      return bad("such a piece cannot be dropped");
    }
    return Legal(position, Move::Drop(after, to), text);
  }
  const Square from = square(0);
  if (!from.valid()) return bad("origin is not a square of the board");
  const Kind before = position.at(from).kind;
  const bool promotes = after != before && rules::shogi::CanPromote(before) &&
                        after == rules::shogi::Promoted(before);
  if (before != Kind::kNone && after != before && !promotes) {
    return bad("the piece on the origin is another one");
  }
  return Legal(position, Move::Board(from, to, promotes), text);
}

}  // namespace komadai::notation
