// `komadai rating recompute`: proves that every rating follows from its history.
#pragma once

#include <string>
#include <vector>

namespace komadai::cli {

// `arguments` follow the word "rating". The exit status.
int RunRating(const std::vector<std::string>& arguments);

}  // namespace komadai::cli
