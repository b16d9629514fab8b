// A schedule: one random world from its beginning to its end, made from one number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/simulation/judge.h"

namespace komadai::simulation {

struct Outcome {
  Complaint complaint;
  Tally tally;
  std::uint64_t fingerprint = 0;  // equal for equal runs
  std::uint64_t steps = 0;
  int crashes = 0;
  Millis elapsed{0};               // virtual
  std::vector<std::string> trace;  // the last lines
};

// The same seed gives the same outcome. `trace_lines`: how many to keep; 0: none.
Outcome Simulate(std::uint64_t seed, std::size_t trace_lines = 0,
                 Sabotage sabotage = Sabotage::kNone);

}  // namespace komadai::simulation
