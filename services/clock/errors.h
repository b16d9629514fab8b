// The reasons the clock service refuses with, beside those of libs/timecontrol.
#pragma once

#include "libs/base/result.h"

namespace komadai::clock {

inline constexpr Reason kClockNotFound{Code::kNotFound, "CLOCK_NOT_FOUND"};
// StartClock for a game that has a clock under another time control.
inline constexpr Reason kClockExists{Code::kAlreadyExists, "CLOCK_EXISTS"};
// The clock is not at this ply (metadata "ply", "current"), and no press of it is known.
inline constexpr Reason kStalePly{Code::kAborted, "STALE_PLY"};
// Too many others change the clock at the same time. Nothing happened; try again.
inline constexpr Reason kContention{Code::kAborted, "CONTENTION"};
inline constexpr Reason kInvalidRequest{Code::kInvalidArgument, "INVALID_REQUEST"};
inline constexpr Reason kCorruptClock{Code::kDataLoss, "CORRUPT_CLOCK"};

}  // namespace komadai::clock
