// LongGame: a shogi game of a given length for benchmarks.
#pragma once

#include <string>
#include <vector>

namespace komadai::bench {

// The moves (USI) of a legal game of `plies` plies that is not over after them: random play from a
// fixed seed, so that it is the same game in every run.
std::vector<std::string> LongGame(int plies);

}  // namespace komadai::bench
