#include "libs/conformance/pawn_drop_mate.h"

#include "libs/rules/setup.h"
#include "libs/rules/shogi/kinds.h"

namespace komadai::conformance {

using rules::Move;
using rules::Position;
using rules::Side;
using rules::Square;

std::optional<Move> CheckingPawnDrop(const Position& position) {
  if (position.variant() == rules::Variant::kXiangqi) return std::nullopt;
  const Side mover = position.side_to_move();
  const std::optional<Square> king = position.king(Opponent(mover));
  if (!king || position.hand(mover, rules::shogi::kPawn) == 0) return std::nullopt;
  // First's pawns look towards rank 0.
  const int rank = king->rank() + (mover == Side::kFirst ? 1 : -1);
  if (rank < 0 || rank >= rules::RankCount(position.variant())) return std::nullopt;
  return Move::Drop(rules::shogi::kPawn, Square(king->file(), rank));
}

std::uint64_t CountPawnDropMates(const Position& position, int depth) {
  if (depth == 0) {
    const std::optional<Move> drop = CheckingPawnDrop(position);
    return drop && position.WhyIllegal(*drop) == rules::Illegal::kUchifuzume ? 1 : 0;
  }
  rules::MoveList moves;
  position.LegalMoves(moves);
  std::uint64_t count = 0;
  for (const Move& move : moves) {
    Position next = position;
    next.PlayUnchecked(move);
    count += CountPawnDropMates(next, depth - 1);
  }
  return count;
}

}  // namespace komadai::conformance
