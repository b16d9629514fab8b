// `komadai judge`: the verdict on a game, and the effect of an impasse declaration.
#pragma once

#include <string>
#include <vector>

#include "cli/law.h"

namespace komadai::cli {

struct JudgeOptions {
  PositionArguments position;
  std::vector<std::string> moves;  // in any notation; a text may hold several
  std::string ruleset;             // empty: the default of the variant
  bool declare = false;            // a side declares an impasse after the moves
  bool agree = false;              // both sides agree to count
  std::string by;                  // who declares: first or second; empty: the side to move
  bool json = false;
};
CLI::App* AddJudge(CLI::App& app, JudgeOptions& options);
int RunJudge(const JudgeOptions& options, const Streams& streams);

}  // namespace komadai::cli
