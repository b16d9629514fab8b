// `komadai conformance`: checks files of conformance vectors.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/law.h"

namespace komadai::cli {

struct ConformanceOptions {
  std::vector<std::string> files;
  std::string target;  // a server to ask instead of the library; empty: the library
  std::uint64_t max_perft_nodes = UINT64_MAX;
};
CLI::App* AddConformance(CLI::App& app, ConformanceOptions& options);
// One line for every record that fails, and the tally last. kExitNo if a record fails, kExitUsage
// if a file cannot be read or no server answers.
int RunConformance(const ConformanceOptions& options, const Streams& streams);

}  // namespace komadai::cli
