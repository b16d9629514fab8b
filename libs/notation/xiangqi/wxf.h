// WXF notation of xiangqi: "C2=5", "H8+7", "R+=2" (front chariot), "17=6" (first soldier on column
// 7).
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

// `move` is legal.
std::string FormatWxf(const rules::Position& position, rules::Move move);
// Also reads "." for "=", the sign before the letter ("+R=2"), either case, and the letters N, B,
// M, G of other programs. INVALID_MOVE, AMBIGUOUS_MOVE or the reason of the rule.
Result<rules::Move> ParseWxf(const rules::Position& position, std::string_view text);

}  // namespace komadai::notation
