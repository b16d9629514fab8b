// Safety: what a side may do without leaving its general attacked.
//
// Cannons make this richer than pins: a piece may be one of two screens that must both stay, the
// one screen that must go, or must keep out of the line of a cannon that has none.
#pragma once

#include "libs/rules/xiangqi/attacks.h"

namespace komadai::rules::xiangqi {

struct Safety {
  Bits targets = ~Bits{0};  // where an ordinary piece other than the general may go
  Bits special{};           // pieces with targets of their own
  bool in_check = false;

  // An intersection of what the threats allow a special piece.
  struct Special {
    int square;
    Bits targets;
  };
  Special specials[16];
  int special_count = 0;
};

// Collects the threats against one general.
class SafetyFinder {
 public:
  SafetyFinder(const Board& board, Side us)
      : board_(board),
        us_(us),
        king_(board.king[Index(us)]),
        occupied_(board.occupied()),
        own_(board.of[Index(us)]) {}

  Safety Find() {
    if (king_ == kNoSquare) return safety_;
    const Bits enemy = board_.of[1 - Index(us_)];
    const Bits on_lines = kTables.lines[king_] & enemy;
    const int enemy_king = board_.king[1 - Index(us_)];
    Bits chariots = on_lines & board_.kind[Index(kChariot)];
    if (enemy_king != kNoSquare && FileOf(enemy_king) == FileOf(king_)) {
      chariots |= BitOf(enemy_king);
    }
    while (chariots != 0) AddChariot(PopLowest(chariots));
    for (Bits cannons = on_lines & board_.kind[Index(kCannon)]; cannons != 0;) {
      AddCannon(PopLowest(cannons));
    }
    Bits horses = kTables.horse_to[king_][0] & enemy & board_.kind[Index(kHorse)];
    while (horses != 0) AddHorse(PopLowest(horses));
    Bits soldiers =
        kTables.soldier_to[1 - Index(us_)][king_] & enemy & board_.kind[Index(kSoldier)];
    while (soldiers != 0) AddCheck(BitOf(PopLowest(soldiers)), kNoSquare, 0);
    Combine();
    return safety_;
  }

 private:
  // A threat as it limits moves: ordinary pieces to `targets`, the piece on `exception` to
  // `exception_targets`.
  struct Threat {
    Bits targets;
    int exception;
    Bits exception_targets;
  };

  void AddCheck(Bits targets, int screen, Bits screen_targets) {
    safety_.in_check = true;
    threats_[count_++] = {targets, screen, screen_targets};
  }
  void AddGuard(int square, Bits targets) { threats_[count_++] = {~Bits{0}, square, targets}; }

  void AddChariot(int from) {
    const Bits between = kTables.between[king_][from];
    const Bits blockers = between & occupied_;
    if (blockers == 0) {
      AddCheck(between | BitOf(from), kNoSquare, 0);
    } else if (!MoreThanOne(blockers) && (blockers & own_) != 0) {
      AddGuard(Lowest(blockers), (between & ~occupied_) | BitOf(from));
    }
  }

  void AddCannon(int from) {
    const Bits between = kTables.between[king_][from];
    Bits blockers = between & occupied_;
    if (blockers == 0) {
      threats_[count_++] = {~between, kNoSquare, 0};  // no piece may become the screen
      return;
    }
    if (!MoreThanOne(blockers)) {
      const bool own_screen = (blockers & own_) != 0;
      AddCheck((between & ~occupied_) | BitOf(from), own_screen ? Lowest(blockers) : kNoSquare,
               ~between);
      return;
    }
    const int one = PopLowest(blockers);
    const int other = PopLowest(blockers);
    if (blockers != 0) return;  // three screens: one may go
    for (const int screen : {one, other}) {
      if ((own_ & BitOf(screen)) != 0) AddGuard(screen, (between & ~occupied_) | BitOf(from));
    }
  }

  void AddHorse(int from) {
    // The leg is the corner of the general that is nearest to the horse.
    const int file_step = FileOf(from) > FileOf(king_) ? 1 : -1;
    const int rank_step = RankOf(from) > RankOf(king_) ? 1 : -1;
    const int leg = king_ + file_step * kRanks + rank_step;
    if ((occupied_ & BitOf(leg)) == 0) {
      AddCheck(BitOf(leg) | BitOf(from), kNoSquare, 0);
    } else if ((own_ & BitOf(leg)) != 0) {
      AddGuard(leg, BitOf(from));
    }
  }

  void Combine() {
    for (int i = 0; i < count_; ++i) {
      safety_.targets &= threats_[i].targets;
      const int square = threats_[i].exception;
      if (square == kNoSquare || (safety_.special & BitOf(square)) != 0) continue;
      safety_.special |= BitOf(square);
      Bits targets = ~Bits{0};
      for (int j = 0; j < count_; ++j) {
        targets &=
            threats_[j].exception == square ? threats_[j].exception_targets : threats_[j].targets;
      }
      safety_.specials[safety_.special_count++] = {square, targets};
    }
  }

  const Board& board_;
  Side us_;
  int king_;
  Bits occupied_;
  Bits own_;
  Safety safety_;
  Threat threats_[16];
  int count_ = 0;
};

inline Safety SafetyOf(const Board& board, Side us) { return SafetyFinder(board, us).Find(); }

// The squares the general may step to.
inline Bits GeneralTargets(const Board& board, Side us) {
  const int king = board.king[Index(us)];
  if (king == kNoSquare) return 0;
  Occupancy occupied = OccupancyOf(board);
  occupied.Remove(king);
  Bits safe{0};
  for (Bits steps = kTables.general[Index(us)][king] & ~board.of[Index(us)]; steps != 0;) {
    const int to = PopLowest(steps);
    if (AttackersOfGeneral(board, Opponent(us), to, occupied, ~BitOf(to)) == 0) safe |= BitOf(to);
  }
  return safe;
}

}  // namespace komadai::rules::xiangqi
