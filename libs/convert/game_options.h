// GameOptions of the contract: what is in range, and one form for the same options.
#pragma once

#include <optional>

#include "komadai/common/v1/game_setup.pb.h"
#include "libs/base/time.h"

namespace komadai::convert {

namespace pb = ::komadai::common::v1;

inline constexpr Millis kMinFirstMove{10'000};
inline constexpr Millis kMaxFirstMove{3'600'000};
inline constexpr Millis kMinClaimAfter{15'000};
inline constexpr Millis kMaxClaimAfter{604'800'000};

// A field out of range, and what is wrong with it.
struct OptionProblem {
  const char* field = "";
  const char* message = "";
};
std::optional<OptionProblem> CheckOptions(const pb::GameOptions& options);

// Whether they say nothing but the defaults.
bool AreDefault(const pb::GameOptions& options);

}  // namespace komadai::convert
