// Side: the two sides of a game, in every part of the project.
#pragma once

#include <cstdint>

namespace komadai {

// First is sente (black) in shogi and minishogi, red in xiangqi. In a handicap game second is uwate
// and makes the first move.
enum class Side : std::uint8_t { kFirst, kSecond };

constexpr Side Opponent(Side side) { return side == Side::kFirst ? Side::kSecond : Side::kFirst; }

// "first" or "second", as in error metadata.
constexpr const char* SideName(Side side) { return side == Side::kFirst ? "first" : "second"; }

}  // namespace komadai
