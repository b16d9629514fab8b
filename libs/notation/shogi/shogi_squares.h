// Squares of shogi and minishogi as people write them: 7f, 76, ７六, ７６.
#pragma once

#include <string_view>

#include "libs/rules/types.h"

namespace komadai::notation {

// Reads a file digit (ASCII or full-width); -1 for any other `c`.
int FileOf(char32_t c);
// Reads a rank: a letter, a digit of either width or a kanji numeral; -1 for any other `c`.
int RankOf(char32_t c);
// Not valid() unless both are on the variant's board.
rules::Square SquareFrom(rules::Variant variant, char32_t file, char32_t rank);

// "７六"
std::u32string_view FullWidthDigit(int value);  // 1-9
std::u32string_view KanjiDigit(int value);      // 1-9

}  // namespace komadai::notation
