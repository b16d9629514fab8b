// Positions as text in the format of their game: SFEN for shogi and minishogi, FEN for xiangqi.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"
#include "libs/rules/setup.h"

namespace komadai::notation {

// Longer texts are refused unread.
inline constexpr std::size_t kMaxPositionBytes = 512;

// INVALID_POSITION for malformed text. Empty text and "startpos" are the even start position.
Result<rules::Setup> ParseSetup(rules::Variant variant, std::string_view text);
// The same, and the position must be possible (TWO_KINGS, NIFU, OPPONENT_IN_CHECK, ...).
Result<rules::Position> ParsePosition(rules::Variant variant, std::string_view text,
                                      rules::Kings kings = rules::Kings::kBoth);

std::string FormatSetup(const rules::Setup& setup);
std::string FormatPosition(const rules::Position& position);

}  // namespace komadai::notation
