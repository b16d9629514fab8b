// Chinese notation of xiangqi: 炮二平五, 馬8進7, 前車退一, 後兵四平三.
//
// Written in traditional characters, Red's numbers as kanji, Black's as digits.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

// `move` is legal.
std::string FormatChinese(const rules::Position& position, rules::Move move);
// Also reads simplified characters, 俥傌砲, either side's names and numbers, full-width digits, and
// soldiers without their name (前四平五). INVALID_MOVE, AMBIGUOUS_MOVE or the reason of the rule.
Result<rules::Move> ParseChinese(const rules::Position& position, std::string_view text);

}  // namespace komadai::notation
