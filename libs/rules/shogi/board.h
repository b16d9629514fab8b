// Board: a position of shogi or minishogi as bitboards, a square list and hands. Plain data.
#pragma once

#include <array>
#include <cstdint>

#include "libs/rules/shogi/geometry.h"
#include "libs/rules/shogi/kinds.h"
#include "libs/rules/zobrist.h"

namespace komadai::rules::shogi {

// Pieces that move alike share a layer. A horse is on kBishops and kCrowned, a dragon on kRooks and
// kCrowned: both step like a king besides sliding. Kings are found by their square.
enum Layer : int {
  kPawns,
  kLances,
  kKnights,
  kSilvers,
  kGolds,  // and all promoted pieces that move like one
  kBishops,
  kRooks,
  kCrowned,
  kKings,
  kLayers,
};

constexpr Layer LayerOf(Kind kind) {
  constexpr Layer kOf[kKindLimit] = {kLayers, kPawns,   kLances, kKnights, kSilvers, kBishops,
                                     kRooks,  kGolds,   kKings,  kGolds,   kGolds,   kGolds,
                                     kGolds,  kBishops, kRooks,  kLayers};
  return kOf[Index(kind)];
}

inline constexpr int kNoSquare = -1;

template <class G>
struct Board {
  using Bits = typename G::Bits;

  std::array<Bits, 2> of;                            // by side
  std::array<Bits, kLayers> layer;                   // both sides
  std::array<std::array<std::uint8_t, 8>, 2> hands;  // by unpromoted kind
  std::uint64_t key;
  std::array<std::int8_t, 2> king;  // kNoSquare if there is none
  Side side_to_move;
  std::array<std::uint8_t, static_cast<std::size_t>(kSquares<G>)> squares;  // Cell()

  Bits occupied() const { return of[0] | of[1]; }
};

// A square's contents in one byte: the kind, and the side in bit 4. Zero is empty.
constexpr std::uint8_t Cell(Side side, Kind kind) {
  return static_cast<std::uint8_t>(Index(kind) | (Index(side) << 4));
}
constexpr Kind KindIn(std::uint8_t cell) { return static_cast<Kind>(cell & 15); }
constexpr Side SideIn(std::uint8_t cell) { return static_cast<Side>(cell >> 4); }

// Zobrist keys: one per (piece, square), one per (side, kind, n-th piece in hand), one for the
// side.
template <class G>
struct Keys {
  std::array<std::array<std::uint64_t, static_cast<std::size_t>(kSquares<G>)>, 32> piece{};
  std::array<std::array<std::array<std::uint64_t, 19>, 8>, 2> hand{};
  std::uint64_t side = Mix(1);

  constexpr Keys() {
    for (std::uint64_t cell = 0; cell < 32; ++cell) {
      for (std::uint64_t s = 0; s < kSquares<G>; ++s) piece[cell][s] = Mix((cell << 8 | s) + 4096);
    }
    for (std::uint64_t who = 0; who < 2; ++who) {
      for (std::uint64_t kind = 0; kind < 8; ++kind) {
        for (std::uint64_t n = 0; n < 19; ++n) {
          hand[who][kind][n] = Mix((who << 16 | kind << 8 | n) + 65536);
        }
      }
    }
  }
};
template <class G>
inline constexpr Keys<G> kKeys{};

// A move in 16 bits: target in bits 0-6, origin or dropped kind in bits 7-13, promotion, drop.
using PackedMove = std::uint16_t;
inline constexpr PackedMove kPromotes = 1u << 14;
inline constexpr PackedMove kDrops = 1u << 15;
constexpr PackedMove PackBoard(int from, int to, bool promotes) {
  return static_cast<PackedMove>(to | (from << 7) | (promotes ? kPromotes : 0));
}
constexpr PackedMove PackDrop(Kind kind, int to) {
  return static_cast<PackedMove>(to | (Index(kind) << 7) | kDrops);
}
constexpr int TargetOf(PackedMove move) { return move & 127; }
constexpr int OriginOf(PackedMove move) { return (move >> 7) & 127; }
constexpr Kind DroppedBy(PackedMove move) { return static_cast<Kind>((move >> 7) & 127); }

}  // namespace komadai::rules::shogi
