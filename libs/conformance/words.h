// The words of the vector files for rulesets, endings, sides and reasons.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/rules/illegal.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/types.h"
#include "libs/rules/verdict.h"

namespace komadai::conformance {

// "ttakji", "wikipedia", "chessplayx", "csa27", or the product's own names. UNKNOWN_RULESET.
Result<rules::Ruleset> NamedRuleset(rules::Variant variant, std::string_view name);

// "declaration_refused" is not an ending: the game continues.
inline constexpr std::string_view kClaimRefused = "declaration_refused";
// "checkmate", "repetition_draw", ...: what the files call an ending.
std::string_view StatusWord(rules::Variant variant, rules::Ending ending);
// The same read, other spellings included ("stalemate_loss", "no_legal_move" in either game).
std::optional<rules::Ending> FindEnding(std::string_view status);

// "sente", "gote", "red", "black", "none".
std::string_view WinnerWord(rules::Variant variant, std::optional<rules::Side> winner);
// Also "first" and "second".
std::optional<rules::Side> FindSide(std::string_view name);

// "ok", or the reason in lower case ("geometry" in xiangqi).
std::string WhyWord(rules::Variant variant, std::optional<rules::Illegal> illegal);
// Whether a file's word means that, other spellings included.
bool MeansWhy(std::string_view word, std::optional<rules::Illegal> illegal);

}  // namespace komadai::conformance
