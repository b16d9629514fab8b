// `komadai legal`: the legal moves of a position, or why a move is illegal.
#pragma once

#include <string>
#include <vector>

#include "cli/law.h"

namespace komadai::cli {

struct LegalOptions {
  PositionArguments position;
  std::string move;                    // empty: list all
  std::vector<std::string> notations;  // each move is also written in these
  bool json = false;
};
CLI::App* AddLegal(CLI::App& app, LegalOptions& options);
// kExitNo for an illegal move.
int RunLegal(const LegalOptions& options, const Streams& streams);

}  // namespace komadai::cli
