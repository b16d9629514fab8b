#include "libs/rules/shogi/rulesets.h"

namespace komadai::rules::shogi {

template <>
std::span<const Ruleset> Rulesets<Nine>() {
  static const Ruleset rulesets[] = {
      // Ttakji's online rules.
      {.variant = Variant::kShogi,
       .id = "standard",
       .impasse = ImpasseRule::kPoints24,
       .ply_limit = 400,
       .ply_limit_counts_points = true},
      // As professionals play.
      {.variant = Variant::kShogi,
       .id = "professional",
       .impasse = ImpasseRule::kPoints24ByAgreement,
       .illegal_move_loses = true,
       .drawn_game_is_replayed = true},
      // The computer tournaments' 27-point declaration.
      {.variant = Variant::kShogi,
       .id = "csa27",
       .impasse = ImpasseRule::kPoints27,
       .illegal_move_loses = true},
  };
  return rulesets;
}

template <>
std::span<const Ruleset> Rulesets<Five>() {
  static const Ruleset rulesets[] = {
      // Neither an impasse rule nor a ply limit: Sente must deviate.
      {.variant = Variant::kMinishogi, .plain_repetition = PlainRepetition::kFirstLoses},
  };
  return rulesets;
}

}  // namespace komadai::rules::shogi
