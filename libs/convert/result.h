// Ends of games from the law to the contract.
#pragma once

#include "komadai/common/v1/result.pb.h"
#include "libs/convert/variant.h"
#include "libs/rules/impasse.h"
#include "libs/rules/ruleset.h"
#include "libs/rules/verdict.h"

namespace komadai::convert {

pb::Ending ToProto(rules::Ending ending);

// A winner if there is one, else a draw.
pb::Outcome OutcomeOf(std::optional<rules::Side> winner);

// The result of a verdict that is over(), reached after `plies` plies. An agreed count without a
// winner gives OUTCOME_NO_RESULT, not a draw.
pb::GameResult ToProto(const rules::Verdict& verdict, const rules::Ruleset& ruleset, int plies);

// `plies` played so far.
pb::ImpasseReport ToProto(const rules::ImpasseReport& report, const rules::Ruleset& ruleset,
                          int plies);

}  // namespace komadai::convert
