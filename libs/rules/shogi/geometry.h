// What differs between shogi and minishogi: the board. Everything else is shared.
//
// Squares are numbered file by file, so that a pawn's step is a shift by one and the squares of a
// file are neighbours; square 0 is 1a. "North" is towards rank a, Sente's forward.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/bits.h"
#include "libs/rules/shogi/kinds.h"
#include "libs/rules/types.h"

namespace komadai::rules::shogi {

struct Nine {
  using Bits = Bits128;
  static constexpr Variant kVariant = Variant::kShogi;
  static constexpr int kFiles = 9;
  static constexpr int kRanks = 9;
  static constexpr int kZoneRanks = 3;      // where pieces promote
  static constexpr bool kHasLances = true;  // and knights
  // How many of each kind a set holds, by unpromoted kind.
  static constexpr std::array<int, 9> kSet = {0, 18, 4, 4, 4, 2, 2, 4, 2};
};

struct Five {
  using Bits = std::uint32_t;
  static constexpr Variant kVariant = Variant::kMinishogi;
  static constexpr int kFiles = 5;
  static constexpr int kRanks = 5;
  static constexpr int kZoneRanks = 1;
  static constexpr bool kHasLances = false;
  static constexpr std::array<int, 9> kSet = {0, 2, 0, 0, 2, 2, 2, 2, 2};
};

template <class G>
inline constexpr int kSquares = G::kFiles* G::kRanks;

template <class G>
constexpr int IndexOf(Square square) {
  return square.file() * G::kRanks + square.rank();
}
template <class G>
constexpr Square SquareOf(int index) {
  return Square(index / G::kRanks, index % G::kRanks);
}
template <class G>
constexpr typename G::Bits BitOf(int index) {
  return typename G::Bits{1} << index;
}

// Ranks still ahead of a piece of `side` standing on `rank`.
template <class G>
constexpr int RanksAhead(Side side, int rank) {
  return side == Side::kFirst ? rank : G::kRanks - 1 - rank;
}
template <class G>
constexpr bool InZone(Side side, int index) {
  return RanksAhead<G>(side, index % G::kRanks) < G::kZoneRanks;
}
// Ranks a piece needs ahead of it to be able to move at all.
constexpr int RanksNeeded(Kind kind) {
  if (kind == kPawn || kind == kLance) return 1;
  return kind == kKnight ? 2 : 0;
}

}  // namespace komadai::rules::shogi
