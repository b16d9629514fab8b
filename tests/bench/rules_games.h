// Games for the benchmark of the rules.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/rules/game_state.h"

namespace komadai::bench {

// The states of a random game under the default ruleset, but without limits to its length: the
// start, and one after each of `plies` plies, of which the last does not end it. Another game for
// every seed, the same one in every run.
std::vector<rules::GameState> RandomGame(rules::Variant variant, int plies, std::uint64_t seed);

}  // namespace komadai::bench
