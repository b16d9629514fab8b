// The small values every game is spoken in: variants, sides, squares, pieces, moves.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "libs/base/side.h"

namespace komadai::rules {

enum class Variant : std::uint8_t { kShogi, kMinishogi, kXiangqi };
inline constexpr Variant kVariants[] = {Variant::kShogi, Variant::kMinishogi, Variant::kXiangqi};

// "shogi", "minishogi", "xiangqi".
std::string_view VariantName(Variant variant);
std::optional<Variant> FindVariant(std::string_view name);

// First (Sente, Red) plays up the board as seen by Sente.
using komadai::Opponent;
using komadai::Side;
constexpr int Index(Side side) { return static_cast<int>(side); }

// The kind of a piece: a number whose meaning is the game's own. libs/rules/shogi/kinds.h (shogi
// and minishogi) and libs/rules/xiangqi/kinds.h name the values; a switch over them needs a
// default.
// clang-format off
enum class Kind : std::uint8_t {
  kNone, k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15
};
// clang-format on
constexpr int Index(Kind kind) { return static_cast<int>(kind); }
inline constexpr int kKindLimit = 16;  // every Kind is below

struct Piece {
  Kind kind = Kind::kNone;
  Side side = Side::kFirst;

  constexpr bool empty() const { return kind == Kind::kNone; }
  friend constexpr bool operator==(Piece a, Piece b) {
    return a.kind == b.kind && (a.empty() || a.side == b.side);
  }
};

// A square by file and rank, both from 0, in the directions of the game's own coordinates:
// shogi and minishogi: file 0 is "1" (Sente's right edge), rank 0 is "a" (Gote's back rank);
// xiangqi: file 0 is "a" (Red's left edge), rank 0 is Red's back rank.
class Square {
 public:
  constexpr Square() = default;  // no square
  constexpr Square(int file, int rank) : bits_(static_cast<std::uint8_t>((file << 4) | rank)) {}

  constexpr bool valid() const { return bits_ != kNowhere; }
  constexpr int file() const { return bits_ >> 4; }
  constexpr int rank() const { return bits_ & 15; }
  friend constexpr bool operator==(Square a, Square b) { return a.bits_ == b.bits_; }

 private:
  static constexpr std::uint8_t kNowhere = 0xFF;
  std::uint8_t bits_ = kNowhere;
};

// A move of a piece on the board, or the drop of one from the hand. Not necessarily a legal one.
struct Move {
  Square from;  // not valid() for a drop
  Square to;
  Kind dropped = Kind::kNone;  // only for a drop
  bool promotes = false;

  static constexpr Move Board(Square from, Square to, bool promotes = false) {
    return {from, to, Kind::kNone, promotes};
  }
  static constexpr Move Drop(Kind kind, Square to) { return {Square(), to, kind, false}; }

  constexpr bool is_drop() const { return dropped != Kind::kNone; }
  friend constexpr bool operator==(const Move& a, const Move& b) {
    return a.from == b.from && a.to == b.to && a.dropped == b.dropped && a.promotes == b.promotes;
  }
};

}  // namespace komadai::rules
