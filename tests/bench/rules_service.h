// What the rules service costs: ApplyMove in games in progress over gRPC on loopback, beside a raw
// echo of as many bytes.
#pragma once

#include <chrono>

#include "libs/base/result.h"

namespace komadai::bench {

struct RulesLoad {
  std::chrono::milliseconds turn{1000};  // of one measurement
  int turns = 7;                         // of each method, one after the other; the median counts
  int callers = 64;
};

// Fails after a failed call or a wrong answer.
Status BenchRulesService(const RulesLoad& load);

}  // namespace komadai::bench
