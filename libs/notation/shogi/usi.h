// USI moves of shogi and minishogi: "7g7f", "8h2b+", "P*5e".
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::notation {

// INVALID_ARGUMENT/INVALID_MOVE. Squares are read in either case, the piece of
// a drop is a capital letter. Legality is not checked here.
Result<rules::Move> ParseUsi(rules::Variant variant, std::string_view text);
std::string FormatUsi(rules::Move move);

}  // namespace komadai::notation
