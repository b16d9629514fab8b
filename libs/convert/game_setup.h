// What a game is played under: rulesets, handicaps and start positions from the contract.
#pragma once

#include "komadai/common/v1/game_setup.pb.h"
#include "libs/base/result.h"
#include "libs/convert/variant.h"
#include "libs/rules/position.h"
#include "libs/rules/ruleset.h"

namespace komadai::convert {

// The largest ply limit the contract takes.
inline constexpr int kMaxPlyLimit = 10'000;

// As rules:: has them, but INVALID_ARGUMENT: here they are part of a request.
inline constexpr Reason kUnknownRuleset{Code::kInvalidArgument, "UNKNOWN_RULESET"};
inline constexpr Reason kUnknownHandicap{Code::kInvalidArgument, "UNKNOWN_HANDICAP"};

// UNKNOWN_RULESET, BAD_RULE_OPTION. An absent message is the default ruleset.
Result<rules::Ruleset> RulesetFromProto(rules::Variant variant, const pb::Ruleset& ruleset);
// Every option spelled out. `base_id` is the named ruleset the options deviate from ("" for
// ruleset.id itself), so that the result reads back as the same ruleset.
pb::Ruleset ToProto(const rules::Ruleset& ruleset, std::string_view base_id = {});

struct GameStart {
  rules::Ruleset ruleset;
  rules::Position position;
  // The request's setup in normal form: ruleset spelled out, position normalised.
  pb::GameSetup setup;

  rules::Variant variant() const { return ruleset.variant; }
};

// Everything a GameSetup says, validated. UNKNOWN_VARIANT, UNKNOWN_RULESET, BAD_RULE_OPTION,
// UNKNOWN_HANDICAP, INVALID_POSITION and the reasons of rules::Position::From.
Result<GameStart> StartFromProto(const pb::GameSetup& setup,
                                 rules::Kings kings = rules::Kings::kBoth);

}  // namespace komadai::convert
