// What the benchmarks share: credentials, and how they end when something fails.
#pragma once

#include <string>

#include "libs/rpc/caller.h"

namespace komadai::bench {

// The authorization header of such a caller, for an hour, at a server of libs/testing.
std::string Bearer(rpc::CallerKind kind, const std::string& id);

// Ends the program.
[[noreturn]] void Die(const std::string& what);

}  // namespace komadai::bench
