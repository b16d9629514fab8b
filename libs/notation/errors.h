// How reading text fails.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"

namespace komadai::notation {

inline constexpr Reason kInvalidPosition{Code::kInvalidArgument, "INVALID_POSITION"};
inline constexpr Reason kInvalidMove{Code::kInvalidArgument, "INVALID_MOVE"};
// A move text that two legal moves (or none that it names clearly) could mean.
inline constexpr Reason kAmbiguousMove{Code::kInvalidArgument, "AMBIGUOUS_MOVE"};
// A notation or a piece of it that the game does not have.
inline constexpr Reason kWrongNotation{Code::kInvalidArgument, "WRONG_NOTATION"};

// "<what>: <text>", the text quoted safely; metadata "text".
Error TextError(Reason reason, std::string_view what, std::string_view text);

}  // namespace komadai::notation
