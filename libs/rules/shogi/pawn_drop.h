// Pawn drops: nifu and uchifuzume.
#pragma once

#include "libs/rules/shogi/safety.h"

namespace komadai::rules::shogi {

// Every square of the files without an unpromoted pawn in `pawns`.
template <class G>
typename G::Bits FilesWithout(typename G::Bits pawns) {
  using Bits = typename G::Bits;
  constexpr Bits kTop = kTables<G>.rank[G::kRanks - 1];
  // Per file: the top bit minus the pawn leaves the top bit set exactly if there was no pawn.
  const Bits free = (kTop - pawns) & kTop;
  return ((free << 1) - (free >> (G::kRanks - 1))) & kTables<G>.all;
}

// Uchifuzume: whether a pawn of `kUs` dropped on `square`, right in front of the enemy king, mates.
// The only answers are capturing the pawn and moving the king: nothing fits in between. Only asked
// for a drop that is legal otherwise.
template <class G, Side kUs>
bool PawnDropMates(const Board<G>& board, int square) {
  using Bits = typename G::Bits;
  constexpr Side kThem = Opponent(kUs);
  const Bits occupied = board.occupied() | BitOf<G>(square);
  const int king = board.king[Index(kThem)];

  Bits capturers = AttackersOf<G, kThem>(board, square, occupied) & ~BitOf<G>(king);
  if (capturers != 0) {
    // Pins as they are with the pawn on the board: it may have shut a line.
    const Safety<G> safety = SafetyOf<G, kThem>(board, occupied);
    while (capturers != 0) {
      if ((safety.LineOf(PopLowest(capturers)) & BitOf<G>(square)) != 0) return false;
    }
  }
  return KingTargets<G, kThem>(board, occupied) == 0;
}

// The square a pawn of `kUs` would give check from, as a set; empty without an enemy king.
template <class G, Side kUs>
typename G::Bits PawnCheckSquare(const Board<G>& board) {
  const int king = board.king[1 - Index(kUs)];
  if (king == kNoSquare) return 0;
  return kTables<G>.step[1 - Index(kUs)][Index(kPawn)][king];
}

}  // namespace komadai::rules::shogi
