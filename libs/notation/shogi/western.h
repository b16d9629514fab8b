// Western notation of shogi and minishogi: "P-7f", "Bx2b+", "G6i-5h", "S*3c", "N-4c=".
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

enum class WesternSquares : bool { kLetters, kDigits };  // 7f or 76

// `move` is legal.
std::string FormatWestern(const rules::Position& position, rules::Move move,
                          WesternSquares squares = WesternSquares::kLetters);
// Reads both kinds of squares, origins where none is needed, "'" and "@" for drops. INVALID_MOVE,
// AMBIGUOUS_MOVE or the reason of the rule that was broken.
Result<rules::Move> ParseWestern(const rules::Position& position, std::string_view text);

}  // namespace komadai::notation
