// Legal move generation. counting.h counts the same moves without making them.
#pragma once

#include "libs/rules/position.h"
#include "libs/rules/shogi/pawn_drop.h"
#include "libs/rules/shogi/safety.h"

namespace komadai::rules::shogi {

// Packed moves on the stack, uninitialised.
struct PackedList {
  int size = 0;
  PackedMove moves[kMaxMoves];
  void Add(PackedMove move) { moves[size++] = move; }
};

// Squares on which a piece of this kind could never move again.
template <class G>
constexpr typename G::Bits DeadRanks(Side side, Kind kind) {
  typename G::Bits dead{0};
  for (int ahead = 0; ahead < RanksNeeded(kind); ++ahead) {
    dead |= kTables<G>.rank[side == Side::kFirst ? ahead : G::kRanks - 1 - ahead];
  }
  return dead;
}

template <class G, Side kUs>
void AddBoardMoves(Kind kind, int from, typename G::Bits targets, PackedList& out) {
  using Bits = typename G::Bits;
  const Bits zone = kTables<G>.zone[Index(kUs)];
  if (CanPromote(kind)) {
    Bits promoting = (zone & BitOf<G>(from)) != 0 ? targets : targets & zone;
    while (promoting != 0) out.Add(PackBoard(from, PopLowest(promoting), true));
    targets &= ~DeadRanks<G>(kUs, kind);
  }
  while (targets != 0) out.Add(PackBoard(from, PopLowest(targets), false));
}

template <class G, Side kUs>
void AddDrops(const Board<G>& board, typename G::Bits empty, PackedList& out) {
  using Bits = typename G::Bits;
  for (const Kind kind : kHandKinds) {
    if (board.hands[Index(kUs)][Index(kind)] == 0) continue;
    Bits targets = empty & ~DeadRanks<G>(kUs, kind);
    if (kind == kPawn) {
      targets &= FilesWithout<G>(board.layer[kPawns] & board.of[Index(kUs)]);
      const Bits check = targets & PawnCheckSquare<G, kUs>(board);
      if (check != 0 && PawnDropMates<G, kUs>(board, Lowest(check))) targets &= ~check;
    }
    while (targets != 0) out.Add(PackDrop(kind, PopLowest(targets)));
  }
}

template <class G, Side kUs>
void Generate(const Board<G>& board, PackedList& out) {
  using Bits = typename G::Bits;
  const Bits occupied = board.occupied();
  const Bits own = board.of[Index(kUs)];
  const Safety<G> safety = SafetyOf<G, kUs>(board, occupied);
  const int king = board.king[Index(kUs)];

  if (king != kNoSquare) {
    AddBoardMoves<G, kUs>(kKing, king, KingTargets<G, kUs>(board, occupied), out);
  }
  if (safety.targets == 0) return;
  for (Bits movers = own & ~board.layer[kKings]; movers != 0;) {
    const int from = PopLowest(movers);
    const Kind kind = KindIn(board.squares[from]);
    Bits targets = AttacksOf<G>(kUs, kind, from, occupied) & ~own & safety.targets;
    if ((safety.pinned & BitOf<G>(from)) != 0) targets &= safety.LineOf(from);
    AddBoardMoves<G, kUs>(kind, from, targets, out);
  }
  AddDrops<G, kUs>(board, safety.targets & ~occupied, out);
}

}  // namespace komadai::rules::shogi
