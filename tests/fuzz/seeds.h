// Inputs to begin with, made of the conformance vectors: games, positions, moves in every notation,
// and record files in every format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace komadai::fuzz {

// For the target of that name; none for an unknown one or where the vectors are missing.
std::vector<std::string> SeedsOf(std::string_view target, const std::string& vectors);

}  // namespace komadai::fuzz
