// FEN: positions of xiangqi as text, "<board> w|b - - <halfmoves since a capture> <move number>".
//
// Reading is lenient (H/h for N, E/e for B, side "r", the last four fields may be missing); writing
// is the normal form.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/setup.h"

namespace komadai::notation {

inline constexpr std::string_view kXiangqiStart =
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

// INVALID_ARGUMENT/INVALID_POSITION. Says nothing about whether the position is possible:
// rules::Position::From does.
Result<rules::Setup> ParseFen(std::string_view text);
std::string FormatFen(const rules::Setup& setup);

}  // namespace komadai::notation
