// Legal move generation and counting: one walk over the pieces for both.
#pragma once

#include "libs/rules/position.h"
#include "libs/rules/xiangqi/safety.h"

namespace komadai::rules::xiangqi {

// Calls `use(from, targets)` with the legal targets of every piece.
template <class Use>
void ForEachPiece(const Board& board, Use use) {
  const Side us = board.side_to_move;
  const Bits own = board.of[Index(us)];
  const Occupancy occupied = OccupancyOf(board);
  const Safety safety = SafetyOf(board, us);
  const Bits targets = safety.targets & ~own;

  if (board.king[Index(us)] != kNoSquare) use(board.king[Index(us)], GeneralTargets(board, us));
  for (int i = 0; i < safety.special_count; ++i) {
    const int from = safety.specials[i].square;
    const Kind kind = KindIn(board.squares[from]);
    use(from, MovesOf(us, kind, from, occupied, own) & safety.specials[i].targets);
  }
  const Bits free = own & ~safety.special;
  const auto walk = [&](Kind kind, auto moves_from) {
    for (Bits movers = board.kind[Index(kind)] & free; movers != 0;) {
      const int from = PopLowest(movers);
      use(from, moves_from(from) & targets);
    }
  };
  walk(kChariot, [&](int from) { return ChariotAttacks(from, occupied); });
  walk(kCannon, [&](int from) {
    return (ChariotAttacks(from, occupied) & ~occupied.by_file) | CannonCaptures(from, occupied);
  });
  walk(kHorse, [&](int from) { return HorseAttacks(from, occupied.by_file); });
  walk(kSoldier, [&](int from) { return kTables.soldier[Index(us)][from]; });
  walk(kAdvisor, [&](int from) { return kTables.advisor[Index(us)][from]; });
  walk(kElephant, [&](int from) { return ElephantAttacks(us, from, occupied.by_file); });
}

inline int CountMoves(const Board& board) {
  int count = 0;
  ForEachPiece(board, [&count](int, Bits targets) { count += PopCount(targets); });
  return count;
}

KOMADAI_FOR_MODERN_CPU inline int CountMovesModern(const Board& board) { return CountMoves(board); }

// With the best instructions the processor has.
inline int CountMovesHere(const Board& board) {
  return HasModernCpu() ? CountMovesModern(board) : CountMoves(board);
}

// Packed moves on the stack, uninitialised. No xiangqi position has more than 128.
struct PackedList {
  int size = 0;
  PackedMove moves[256];
};

inline void Generate(const Board& board, PackedList& out) {
  ForEachPiece(board, [&out](int from, Bits targets) {
    while (targets != 0) out.moves[out.size++] = Pack(from, PopLowest(targets));
  });
}

}  // namespace komadai::rules::xiangqi
