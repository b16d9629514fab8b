// Japanese names of moves in shogi and minishogi: "▲７六歩", "△同　銀右上不成", "▲５五金打".
//
// Which of 右 左 直 上 寄 引 打 are written follows the shogi federation's page on notation
// (https://www.shogi.or.jp/faq/kihuhyouki.html): a word of motion if it is enough, else a side,
// else both.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

// "歩", "成銀", "龍"; "" for Kind::kNone. Kings are 玉 for both sides.
std::u32string_view JapaneseNameOf(rules::Kind kind);
// The kind of a name of one character, also those that are not written here (竜 王 ト 全 圭 杏);
// Kind::kNone for any other character.
rules::Kind KindOfJapaneseName(char32_t name);

// `move` is legal. `previous` is the target of the move before, for 同.
std::string FormatJapanese(const rules::Position& position, rules::Move move,
                           std::optional<rules::Square> previous = std::nullopt);

// Reads both this notation and that of KIF: the side's mark, the origin in parentheses and
// unneeded words are optional; digits of any kind, 竜 王 ト 全 圭 杏 行 入 退 are understood. A
// move without 成 does not promote. INVALID_MOVE, AMBIGUOUS_MOVE or the reason of the rule.
Result<rules::Move> ParseJapanese(const rules::Position& position, std::string_view text,
                                  std::optional<rules::Square> previous = std::nullopt);

}  // namespace komadai::notation
