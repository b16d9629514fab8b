// The words of the vector files, translated to and from the library's values.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/rules/game_state.h"
#include "libs/rules/position.h"

namespace komadai::conformance {

// "startpos", SFEN or FEN; positions with a king missing are accepted.
Result<rules::Position> ReadPosition(rules::Variant variant, const std::string& text);
Result<rules::Move> ReadMove(rules::Variant variant, const std::string& text);
std::string WritePosition(const rules::Position& position);
// A list of strings, or one string with spaces in between.
std::vector<std::string> ReadMoveTexts(const nlohmann::json& moves);

// "ttakji", "wikipedia", "chessplayx", "csa27", or the product's own names.
Result<rules::Ruleset> ReadRuleset(rules::Variant variant, const std::string& name);
// "checkmate", "repetition_draw", ...: the files' name of a verdict.
std::string StatusName(rules::Variant variant, const rules::Verdict& verdict);
std::string WinnerName(rules::Variant variant, const std::optional<rules::Side>& winner);
std::optional<rules::Side> FindSide(std::string_view name);  // "sente", "black", ...

// The files' `why` of a move: "ok" or the lower-case name of the reason.
std::string WhyName(rules::Variant variant, const std::optional<rules::Illegal>& illegal);

}  // namespace komadai::conformance
