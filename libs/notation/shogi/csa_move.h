// CSA moves of shogi and minishogi: "+7776FU": side, origin (00: a drop), target, and the piece as
// it is after the move.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/position.h"

namespace komadai::notation {

// "FU", "RY", ...; "" for Kind::kNone.
std::string_view CsaNameOf(rules::Kind kind);
// Kind::kNone if there is no such piece. Upper case only.
rules::Kind KindOfCsaName(std::string_view name);

std::string FormatCsa(const rules::Position& position, rules::Move move);
// The sign may be missing; a wrong one is INVALID_ARGUMENT/WRONG_SIDE. INVALID_MOVE or the reason
// of the rule that was broken.
Result<rules::Move> ParseCsa(const rules::Position& position, std::string_view text);

}  // namespace komadai::notation
