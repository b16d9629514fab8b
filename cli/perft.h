// `komadai perft`: counts move sequences.
#pragma once

#include "cli/law.h"

namespace komadai::cli {

struct PerftOptions {
  PositionArguments position;
  int depth = 1;
  bool divide = false;  // also by first move
  bool json = false;
};
CLI::App* AddPerft(CLI::App& app, PerftOptions& options);
int RunPerft(const PerftOptions& options, const Streams& streams);

}  // namespace komadai::cli
