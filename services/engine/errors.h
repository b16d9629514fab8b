// The reasons the engine service refuses with, beside those of positions and moves (libs/notation,
// libs/rules).
#pragma once

#include "libs/base/result.h"

namespace komadai::engine {

// The request.
inline constexpr Reason kUnknownEngine{Code::kNotFound, "UNKNOWN_ENGINE"};
inline constexpr Reason kBadLimits{Code::kInvalidArgument, "BAD_LIMITS"};
inline constexpr Reason kBadLineCount{Code::kInvalidArgument, "BAD_LINE_COUNT"};
inline constexpr Reason kBadClock{Code::kInvalidArgument, "BAD_CLOCK"};
inline constexpr Reason kMissingStrength{Code::kInvalidArgument, "MISSING_STRENGTH"};
inline constexpr Reason kTooManyMoves{Code::kInvalidArgument, "TOO_MANY_MOVES"};
inline constexpr Reason kNoLegalMove{Code::kFailedPrecondition, "NO_LEGAL_MOVE"};

// Capacity.
inline constexpr Reason kEngineBusy{Code::kResourceExhausted, "ENGINE_BUSY"};
inline constexpr Reason kOneSearchAtATime{Code::kResourceExhausted, "ONE_SEARCH_AT_A_TIME"};

// The engines.
inline constexpr Reason kEngineUnavailable{Code::kUnavailable, "ENGINE_UNAVAILABLE"};
inline constexpr Reason kSearchCancelled{Code::kCancelled, "SEARCH_CANCELLED"};

}  // namespace komadai::engine
