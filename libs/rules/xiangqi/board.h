// Board: a position of xiangqi as bitboards and a square list. Plain data.
//
// Squares are numbered file by file, as everywhere in libs/rules: 10 * file + rank, 0 being a0.
// Occupancy is also kept turned (9 * rank + file), so that files and ranks both are runs of bits.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/bits.h"
#include "libs/rules/types.h"
#include "libs/rules/xiangqi/kinds.h"
#include "libs/rules/zobrist.h"

namespace komadai::rules::xiangqi {

using Bits = Bits128;

inline constexpr int kFiles = 9;
inline constexpr int kRanks = 10;
inline constexpr int kSquareCount = kFiles * kRanks;
inline constexpr int kNoSquare = -1;
inline constexpr int kKinds = 8;  // kinds are 1..7

// How many of each kind a side has at the start.
inline constexpr int kSet[kKinds] = {0, 1, 2, 2, 2, 2, 2, 5};

constexpr int FileOf(int square) { return square / kRanks; }
constexpr int RankOf(int square) { return square % kRanks; }
constexpr int IndexOf(Square square) { return square.file() * kRanks + square.rank(); }
constexpr Square SquareOf(int index) { return Square(FileOf(index), RankOf(index)); }
constexpr Bits BitOf(int index) { return Bits{1} << index; }
constexpr Bits TurnedBitOf(int index) {
  return Bits{1} << (RankOf(index) * kFiles + FileOf(index));
}

// Ranks counted from the side's own back rank; the river lies between 4 and 5.
constexpr int RankFor(Side side, int rank) {
  return side == Side::kFirst ? rank : kRanks - 1 - rank;
}
constexpr bool CrossedRiver(Side side, int square) { return RankFor(side, RankOf(square)) >= 5; }
constexpr bool InPalace(Side side, int square) {
  return FileOf(square) >= 3 && FileOf(square) <= 5 && RankFor(side, RankOf(square)) <= 2;
}

struct Board {
  std::array<Bits, 2> of;         // by side
  std::array<Bits, kKinds> kind;  // both sides
  Bits turned;                    // all pieces, rank by rank
  std::uint64_t key;
  std::array<std::int8_t, 2> king;  // kNoSquare if there is none
  Side side_to_move;
  std::array<std::uint8_t, kSquareCount> squares;  // Cell(), zero is empty

  Bits occupied() const { return of[0] | of[1]; }
  Bits pieces(Side side, Kind which) const {
    return of[static_cast<std::size_t>(side)] & kind[static_cast<std::size_t>(which)];
  }
};

constexpr std::uint8_t Cell(Side side, Kind kind) {
  return static_cast<std::uint8_t>(Index(kind) | (Index(side) << 4));
}
constexpr Kind KindIn(std::uint8_t cell) { return static_cast<Kind>(cell & 15); }
constexpr Side SideIn(std::uint8_t cell) { return static_cast<Side>(cell >> 4); }

struct Keys {
  std::array<std::array<std::uint64_t, kSquareCount>, 32> piece{};
  std::uint64_t side = Mix(2);

  constexpr Keys() {
    for (std::uint64_t cell = 0; cell < 32; ++cell) {
      for (std::uint64_t s = 0; s < kSquareCount; ++s) piece[cell][s] = Mix((cell << 8 | s) + 8192);
    }
  }
};
inline constexpr Keys kKeys{};

// A move in 14 bits: target in bits 0-6, origin in bits 7-13.
using PackedMove = std::uint16_t;
constexpr PackedMove Pack(int from, int to) { return static_cast<PackedMove>(to | (from << 7)); }
constexpr int TargetOf(PackedMove move) { return move & 127; }
constexpr int OriginOf(PackedMove move) { return move >> 7; }

// Puts (or takes, the operation is the same) a piece on the bitboards.
inline void Toggle(Board& board, std::uint8_t cell, int square) {
  const Bits bit = BitOf(square);
  board.of[static_cast<std::size_t>(SideIn(cell))] ^= bit;
  board.kind[static_cast<std::size_t>(KindIn(cell))] ^= bit;
  board.turned ^= TurnedBitOf(square);
}

// Plays a move by the rules of movement, legal or not; returns the kind captured.
inline Kind PlayMove(Board& board, int from, int to) {
  const std::uint8_t mover = board.squares[from];
  const std::uint8_t captured = board.squares[to];
  board.key ^= kKeys.side ^ kKeys.piece[mover][from] ^ kKeys.piece[mover][to];
  if (captured != 0) {
    board.key ^= kKeys.piece[captured][to];
    Toggle(board, captured, to);
    if (KindIn(captured) == kGeneral) board.king[Index(SideIn(captured))] = kNoSquare;
  }
  Toggle(board, mover, from);
  Toggle(board, mover, to);
  board.squares[from] = 0;
  board.squares[to] = mover;
  if (KindIn(mover) == kGeneral) {
    board.king[Index(SideIn(mover))] = static_cast<std::int8_t>(to);
  }
  board.side_to_move = Opponent(SideIn(mover));
  return KindIn(captured);
}

}  // namespace komadai::rules::xiangqi
