// Safety: what a side may do without leaving its king in check.
#pragma once

#include "libs/rules/shogi/attacks.h"

namespace komadai::rules::shogi {

template <class G>
struct Safety {
  using Bits = typename G::Bits;
  Bits checkers{};
  Bits pinned{};
  // Where a piece other than the king may go: everywhere, or onto and in front of the one checker,
  // or nowhere in a double check.
  Bits targets{};
  // Where each pinned piece may still go, in the order they were found.
  struct Pin {
    int square;
    Bits line;
  };
  Pin pins[8];
  int pin_count = 0;

  bool in_check() const { return checkers != 0; }
  // The line a pinned piece on `square` must stay on.
  Bits LineOf(int square) const {
    for (int i = 0; i < pin_count; ++i) {
      if (pins[i].square == square) return pins[i].line;
    }
    return ~Bits{0};
  }
};

// With `occupied` instead of the board's own occupancy, to look at a piece about to be dropped.
template <class G, Side kUs>
Safety<G> SafetyOf(const Board<G>& board, typename G::Bits occupied) {
  using Bits = typename G::Bits;
  constexpr int kMe = Index(kUs);
  const auto& tables = kTables<G>;
  Safety<G> safety;
  safety.targets = tables.all;
  const int king = board.king[kMe];
  if (king == kNoSquare) return safety;

  const Bits enemy = board.of[1 - kMe];
  const auto& step = tables.step[kMe];
  safety.checkers = (step[Index(kPawn)][king] & board.layer[kPawns]) |
                    (step[Index(kSilver)][king] & board.layer[kSilvers]) |
                    (step[Index(kGold)][king] & board.layer[kGolds]) |
                    (step[Index(kKing)][king] & board.layer[kCrowned]);
  Bits snipers =
      (tables.bishop[king] & board.layer[kBishops]) | (tables.rook[king] & board.layer[kRooks]);
  if constexpr (G::kHasLances) {
    safety.checkers |= step[Index(kKnight)][king] & board.layer[kKnights];
    snipers |= tables.lance[kMe][king] & board.layer[kLances];
  }
  safety.checkers &= enemy;
  for (snipers &= enemy; snipers != 0;) {
    const int sniper = PopLowest(snipers);
    const Bits between = tables.between[king][sniper];
    const Bits blockers = between & occupied;
    if (blockers == 0) {
      safety.checkers |= BitOf<G>(sniper);
    } else if (!MoreThanOne(blockers) && (blockers & board.of[kMe]) != 0) {
      safety.pinned |= blockers;
      safety.pins[safety.pin_count++] = {Lowest(blockers), between | BitOf<G>(sniper)};
    }
  }
  if (safety.checkers != 0) {
    safety.targets = MoreThanOne(safety.checkers)
                         ? Bits{0}
                         : safety.checkers | tables.between[king][Lowest(safety.checkers)];
  }
  return safety;
}

// The squares the king may step to.
template <class G, Side kUs>
typename G::Bits KingTargets(const Board<G>& board, typename G::Bits occupied) {
  using Bits = typename G::Bits;
  const int king = board.king[Index(kUs)];
  if (king == kNoSquare) return Bits{0};
  const Bits around = kTables<G>.step[0][Index(kKing)][king] & ~board.of[Index(kUs)];
  // The king does not shield the squares behind it from a slider.
  return around & ~AttackedIn<G, Opponent(kUs)>(board, around, occupied & ~BitOf<G>(king));
}

}  // namespace komadai::rules::shogi
