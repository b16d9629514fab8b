// UCCI moves of xiangqi: "h2e2", files a-i from Red's left, ranks 0-9 from Red's side.
//
// UCI programs count ranks from 1 to 10 and would write "h3e3" for the same move. Nothing here
// guesses: a rank of 10 is refused, everything else is read as UCCI.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::notation {

// INVALID_ARGUMENT/INVALID_MOVE. Either case and a dash between the squares (ICCS) are read.
Result<rules::Move> ParseUcci(std::string_view text);
std::string FormatUcci(rules::Move move);

}  // namespace komadai::notation
