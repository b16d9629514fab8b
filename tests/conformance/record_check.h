// Checks one record of the conformance vectors (README.md has the formats) against the library.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace komadai::conformance {

enum class Outcome : std::uint8_t { kPassed, kFailed, kSkipped };

struct CheckResult {
  Outcome outcome = Outcome::kPassed;
  std::string message;  // why it failed or was skipped
};

struct CheckOptions {
  // Perft records with more nodes are skipped.
  std::uint64_t max_perft_nodes = UINT64_MAX;
};

// What a record is about is told by its fields. Records about notation are skipped: libs/notation
// has its own runner. Never throws: a malformed record fails.
CheckResult CheckRecord(const nlohmann::json& record, const CheckOptions& options);

}  // namespace komadai::conformance
