// Perft: the number of move sequences of a given length, the yardstick of a move generator.
#pragma once

#include <cstdint>

#include "libs/rules/position.h"

namespace komadai::rules {

// Leaves at `depth` >= 0 (1 at depth 0). A pawn drop that mates is not a move.
std::uint64_t Perft(const Position& position, int depth);

}  // namespace komadai::rules
