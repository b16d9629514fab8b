// Checks one record of the conformance vectors (tests/conformance/README.md has the formats).
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "libs/conformance/judge.h"

namespace komadai::conformance {

enum class Outcome : std::uint8_t { kPassed, kFailed, kSkipped };

struct CheckResult {
  Outcome outcome = Outcome::kPassed;
  std::string message = {};  // why it failed or was skipped, one line
};

struct CheckOptions {
  // Perft records with more nodes are skipped.
  std::uint64_t max_perft_nodes = UINT64_MAX;
};

// The fields of a record tell its kind; unknown fields are ignored. Never throws: a record that is
// malformed, or of no known kind, fails.
CheckResult CheckRecord(const nlohmann::json& record, Judge& judge,
                        const CheckOptions& options = {});

}  // namespace komadai::conformance
