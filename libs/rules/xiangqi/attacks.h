// Attacks of xiangqi's pieces on bitboards.
#pragma once

#include "libs/rules/xiangqi/board.h"
#include "libs/rules/xiangqi/tables.h"

namespace komadai::rules::xiangqi {

// Both views of which squares are occupied; see Board.
struct Occupancy {
  Bits by_file;
  Bits by_rank;

  void Remove(int square) {
    by_file &= ~BitOf(square);
    by_rank &= ~TurnedBitOf(square);
  }
};

inline Occupancy OccupancyOf(const Board& board) { return {board.occupied(), board.turned}; }

inline int OnFile(const Occupancy& occupied, int square) {
  return static_cast<int>(occupied.by_file >> (FileOf(square) * kRanks)) & ((1 << kRanks) - 1);
}
inline int OnRank(const Occupancy& occupied, int square) {
  return static_cast<int>(occupied.by_rank >> (RankOf(square) * kFiles)) & ((1 << kFiles) - 1);
}

inline Bits ChariotAttacks(int s, const Occupancy& occupied) {
  const Bits file = kFileLine.chariot[RankOf(s)][OnFile(occupied, s)];
  const Bits rank = kTables.spread[kRankLine.chariot[FileOf(s)][OnRank(occupied, s)]];
  return file << (FileOf(s) * kRanks) | rank << RankOf(s);
}

// Where a cannon captures: the second piece in each direction.
inline Bits CannonCaptures(int s, const Occupancy& occupied) {
  const Bits file = kFileLine.cannon[RankOf(s)][OnFile(occupied, s)];
  const Bits rank = kTables.spread[kRankLine.cannon[FileOf(s)][OnRank(occupied, s)]];
  return file << (FileOf(s) * kRanks) | rank << RankOf(s);
}

// Which of the four orthogonal (diagonal) neighbours are occupied, as the tables want it. What lies
// beyond an edge does not matter: no move leads there.
inline unsigned LegsBlocked(int s, Bits occupied) {
  const auto around = static_cast<std::uint32_t>((occupied << 10) >> s);
  return (around & 1) | (around >> 8 & 2) | (around >> 9 & 4) | (around >> 17 & 8);
}
inline unsigned EyesBlocked(int s, Bits occupied) {
  const auto around = static_cast<std::uint32_t>((occupied << 11) >> s);
  return (around & 1) | (around >> 1 & 2) | (around >> 18 & 4) | (around >> 19 & 8);
}

inline Bits HorseAttacks(int s, Bits occupied) {
  return kTables.horse[s][LegsBlocked(s, occupied)];
}
inline Bits ElephantAttacks(Side side, int s, Bits occupied) {
  return kTables.elephant[s][EyesBlocked(s, occupied)] & kTables.home[Index(side)];
}

// The squares the piece could capture on, occupied or not.
inline Bits CapturesOf(Side side, Kind kind, int s, const Occupancy& occupied) {
  switch (kind) {
    case kGeneral:
      return kTables.general[Index(side)][s];
    case kAdvisor:
      return kTables.advisor[Index(side)][s];
    case kElephant:
      return ElephantAttacks(side, s, occupied.by_file);
    case kHorse:
      return HorseAttacks(s, occupied.by_file);
    case kChariot:
      return ChariotAttacks(s, occupied);
    case kCannon:
      return CannonCaptures(s, occupied);
    case kSoldier:
      return kTables.soldier[Index(side)][s];
    default:
      return 0;
  }
}

// Where the piece may go, the safety of its general aside.
inline Bits MovesOf(Side side, Kind kind, int s, const Occupancy& occupied, Bits own) {
  Bits targets = CapturesOf(side, kind, s, occupied);
  if (kind == kCannon) targets |= ChariotAttacks(s, occupied) & ~occupied.by_file;
  return targets & ~own;
}

// The pieces of `by` that attack a general of the other side on `square`; the enemy general counts,
// since facing each other is an attack along the file. `present` filters the attackers, for one
// about to be captured.
inline Bits AttackersOfGeneral(const Board& board, Side by, int square, const Occupancy& occupied,
                               Bits present) {
  const auto& kind = board.kind;
  const unsigned corners = EyesBlocked(square, occupied.by_file);
  return ((ChariotAttacks(square, occupied) & (kind[Index(kChariot)] | kind[Index(kGeneral)])) |
          (CannonCaptures(square, occupied) & kind[Index(kCannon)]) |
          (kTables.horse_to[square][corners] & kind[Index(kHorse)]) |
          (kTables.soldier_to[Index(by)][square] & kind[Index(kSoldier)])) &
         board.of[Index(by)] & present;
}

// The attackers of the general of `side`; none if it has none.
inline Bits CheckersOf(const Board& board, Side side) {
  const int king = board.king[Index(side)];
  if (king == kNoSquare) return 0;
  return AttackersOfGeneral(board, Opponent(side), king, OccupancyOf(board), ~Bits{0});
}

}  // namespace komadai::rules::xiangqi
