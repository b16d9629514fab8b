// What a run prints: a line per promise, the faults, and a last line for programs.
#pragma once

#include <cstdio>
#include <map>
#include <string>

#include "tests/chaos/evidence.h"
#include "tests/chaos/findings.h"
#include "tests/chaos/schedule.h"

namespace komadai::chaos {

using FaultCounts = std::map<Fault::Kind, std::map<std::string, int>>;

// Returns the exit status: 1 if there are violations.
int PrintReport(const Findings& findings, const FaultCounts& faults,
                const std::map<std::string, std::int64_t>& errors, std::FILE* out);

// One game as its players, its journal and its watchers have it, for finding a cause.
std::string Explain(const GameEvidence& evidence);

}  // namespace komadai::chaos
