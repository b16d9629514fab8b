// Plain moves: the coordinate notation of each game (USI; UCCI for xiangqi), as the API and the
// archive write them.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::notation {

// INVALID_ARGUMENT/INVALID_MOVE for malformed text. Legality is not checked here.
Result<rules::Move> ParsePlainMove(rules::Variant variant, std::string_view text);
std::string FormatPlainMove(rules::Variant variant, rules::Move move);

}  // namespace komadai::notation
