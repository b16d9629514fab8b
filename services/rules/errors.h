// The reasons the rules service refuses with, beside those of libs/rules and libs/notation.
#pragma once

#include "libs/base/result.h"

namespace komadai::rules_service {

inline constexpr Reason kTooManyMoves{Code::kInvalidArgument, "TOO_MANY_MOVES"};
inline constexpr Reason kTooManyNotations{Code::kInvalidArgument, "TOO_MANY_NOTATIONS"};

}  // namespace komadai::rules_service
