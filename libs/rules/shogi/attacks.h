// Attacks of pieces and of whole sides on bitboards.
#pragma once

#include "libs/rules/bits.h"
#include "libs/rules/shogi/board.h"
#include "libs/rules/shogi/tables.h"

namespace komadai::rules::shogi {

// Squares a slider reaches in one direction up to and including the first piece.
template <class G, Direction kDirection>
typename G::Bits Slide(int from, typename G::Bits occupied) {
  using Bits = typename G::Bits;
  const Bits ray = kTables<G>.ray[kDirection][from];
  const Bits blockers = ray & occupied;
  if constexpr (kDirection < kNorth) {
    return ray & (blockers ^ (blockers - 1));
  } else {
    // Bit 0 stands in for "no blocker": nothing lies below it.
    return ray & kTables<G>.upwards[Highest(blockers | Bits{1})];
  }
}

template <class G>
typename G::Bits BishopAttacks(int from, typename G::Bits occupied) {
  return Slide<G, kNorthWest>(from, occupied) | Slide<G, kSouthWest>(from, occupied) |
         Slide<G, kNorthEast>(from, occupied) | Slide<G, kSouthEast>(from, occupied);
}

template <class G>
typename G::Bits RookAttacks(int from, typename G::Bits occupied) {
  return Slide<G, kNorth>(from, occupied) | Slide<G, kSouth>(from, occupied) |
         Slide<G, kEast>(from, occupied) | Slide<G, kWest>(from, occupied);
}

template <class G, Side kSide>
typename G::Bits LanceAttacks(int from, typename G::Bits occupied) {
  return Slide < G, kSide == Side::kFirst ? kNorth : kSouth > (from, occupied);
}

// What the piece attacks, own pieces on the way included.
template <class G>
typename G::Bits AttacksOf(Side side, Kind kind, int from, typename G::Bits occupied) {
  const typename G::Bits steps = kTables<G>.step[Index(side)][Index(kind)][from];
  switch (LayerOf(kind)) {
    case kLances:
      return side == Side::kFirst ? LanceAttacks<G, Side::kFirst>(from, occupied)
                                  : LanceAttacks<G, Side::kSecond>(from, occupied);
    case kBishops:
      return steps | BishopAttacks<G>(from, occupied);
    case kRooks:
      return steps | RookAttacks<G>(from, occupied);
    default:
      return steps;
  }
}

// Moves every bit one step. Bits that leave at the high end are NOT cut off: mask the result.
template <class G, Direction kDirection>
typename G::Bits Shift(typename G::Bits b) {
  using Bits = typename G::Bits;
  constexpr int kRanks = G::kRanks;
  constexpr Step kStep = kSteps[kDirection];
  constexpr Bits kKept = kStep.rank < 0   ? ~kTables<G>.rank[0]
                         : kStep.rank > 0 ? ~kTables<G>.rank[kRanks - 1]
                                          : ~Bits{0};
  constexpr int kBy = kStep.file * kRanks + kStep.rank;
  if constexpr (kBy > 0) {
    return (b & kKept) << kBy;
  } else {
    return (b & kKept) >> -kBy;
  }
}

// The two knight jumps of a side, the one to the lower file first.
template <class G, Side kSide, bool kToHigherFile>
typename G::Bits ShiftKnight(typename G::Bits b) {
  constexpr int kRanks = G::kRanks;
  constexpr int kForward = kSide == Side::kFirst ? -2 : 2;
  constexpr typename G::Bits kKept =
      kSide == Side::kFirst ? ~(kTables<G>.rank[0] | kTables<G>.rank[1])
                            : ~(kTables<G>.rank[kRanks - 1] | kTables<G>.rank[kRanks - 2]);
  if constexpr (kToHigherFile) {
    return (b & kKept) << (kRanks + kForward);
  } else {
    return (b & kKept) >> (kRanks - kForward);
  }
}

// The directions as `kSide` sees them.
template <Side kSide>
struct Facing {
  static constexpr bool kIsFirst = kSide == Side::kFirst;
  static constexpr Direction kAhead = kIsFirst ? kNorth : kSouth;
  static constexpr Direction kBehind = kIsFirst ? kSouth : kNorth;
  static constexpr Direction kAheadEast = kIsFirst ? kNorthEast : kSouthEast;
  static constexpr Direction kAheadWest = kIsFirst ? kNorthWest : kSouthWest;
  static constexpr Direction kBehindEast = kIsFirst ? kSouthEast : kNorthEast;
  static constexpr Direction kBehindWest = kIsFirst ? kSouthWest : kNorthWest;
};

// The pieces of a set that may step in a direction, dragons and horses without their slides.
template <class Bits>
struct Steppers {
  Bits ahead;            // pawn, silver, gold, horse
  Bits diagonal_ahead;   // silver, gold, dragon
  Bits beside_behind;    // gold, horse: both sides and straight back
  Bits diagonal_behind;  // silver, dragon
  Bits knights;
};

template <class G>
Steppers<typename G::Bits> SteppersOf(const Board<G>& board, typename G::Bits pieces) {
  using Bits = typename G::Bits;
  const Bits silvers = board.layer[kSilvers] & pieces;
  const Bits golds = board.layer[kGolds] & pieces;
  const Bits crowned = board.layer[kCrowned] & pieces;
  const Bits horses = crowned & board.layer[kBishops];
  const Bits dragons = crowned & board.layer[kRooks];
  return {(board.layer[kPawns] & pieces) | silvers | golds | horses, silvers | golds | dragons,
          golds | horses, silvers | dragons, board.layer[kKnights] & pieces};
}

// Everything `kSide` attacks inside `area`, its king included, with the given occupancy. Sliders
// that cannot touch the area are skipped, so a small area is cheap.
template <class G, Side kSide>
typename G::Bits AttackedIn(const Board<G>& board, typename G::Bits area,
                            typename G::Bits occupied) {
  using Bits = typename G::Bits;
  using F = Facing<kSide>;
  const auto& tables = kTables<G>;
  const Bits own = board.of[Index(kSide)];
  const Steppers<Bits> s = SteppersOf(board, own);
  Bits attacked = Shift<G, F::kAhead>(s.ahead) | Shift<G, F::kAheadEast>(s.diagonal_ahead) |
                  Shift<G, F::kAheadWest>(s.diagonal_ahead) | Shift<G, kEast>(s.beside_behind) |
                  Shift<G, kWest>(s.beside_behind) | Shift<G, F::kBehind>(s.beside_behind) |
                  Shift<G, F::kBehindEast>(s.diagonal_behind) |
                  Shift<G, F::kBehindWest>(s.diagonal_behind);
  if (board.king[Index(kSide)] != kNoSquare) {
    attacked |= tables.step[0][Index(kKing)][board.king[Index(kSide)]];
  }
  if constexpr (G::kHasLances) {
    attacked |= ShiftKnight<G, kSide, false>(s.knights) | ShiftKnight<G, kSide, true>(s.knights);
    for (Bits lances = board.layer[kLances] & own; lances != 0;) {
      const int from = PopLowest(lances);
      if ((tables.lance[Index(kSide)][from] & area) == 0) continue;
      attacked |= LanceAttacks<G, kSide>(from, occupied);
    }
  }
  for (Bits bishops = board.layer[kBishops] & own; bishops != 0;) {
    const int from = PopLowest(bishops);
    if ((tables.bishop[from] & area) != 0) attacked |= BishopAttacks<G>(from, occupied);
  }
  for (Bits rooks = board.layer[kRooks] & own; rooks != 0;) {
    const int from = PopLowest(rooks);
    if ((tables.rook[from] & area) != 0) attacked |= RookAttacks<G>(from, occupied);
  }
  return attacked & area;
}

// The pieces of `by` that attack `square`, its king included.
template <class G, Side kBy>
typename G::Bits AttackersOf(const Board<G>& board, int square, typename G::Bits occupied) {
  using Bits = typename G::Bits;
  constexpr int kTurned = Index(Opponent(kBy));  // who would be attacked back from there
  const auto& step = kTables<G>.step[kTurned];
  Bits found = (step[Index(kPawn)][square] & board.layer[kPawns]) |
               (step[Index(kSilver)][square] & board.layer[kSilvers]) |
               (step[Index(kGold)][square] & board.layer[kGolds]) |
               (step[Index(kKing)][square] & (board.layer[kCrowned] | board.layer[kKings])) |
               (BishopAttacks<G>(square, occupied) & board.layer[kBishops]) |
               (RookAttacks<G>(square, occupied) & board.layer[kRooks]);
  if constexpr (G::kHasLances) {
    found |= (step[Index(kKnight)][square] & board.layer[kKnights]) |
             (LanceAttacks<G, Opponent(kBy)>(square, occupied) & board.layer[kLances]);
  }
  return found & board.of[Index(kBy)];
}

}  // namespace komadai::rules::shogi
