// Ruleset: the options under which a game is judged. Data that travels with the game.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::rules {

// What a plain repetition (nobody checked or chased throughout) means.
enum class PlainRepetition : std::uint8_t {
  kDraw,
  kFirstLoses,  // minishogi
};

enum class ImpasseRule : std::uint8_t {
  kNone,
  kPoints24,             // declared by the side to move; a side under 24 loses
  kPoints24ByAgreement,  // the same count, only when both players agree
  kPoints27,             // computer tournaments: the declarer wins or loses
};

struct Ruleset {
  Variant variant = Variant::kShogi;
  std::string id = "standard";  // "custom" once an option was changed

  int repetition_count = 4;  // occurrences (the start counts as one) that end the game; 0: never
  PlainRepetition plain_repetition = PlainRepetition::kDraw;
  bool perpetual_check_loses = true;
  bool perpetual_chase_loses = false;
  ImpasseRule impasse = ImpasseRule::kNone;
  // Points of the pieces missing in a handicap start position count for uwate.
  bool credit_handicap = true;
  int ply_limit = 0;                     // 0: none
  bool ply_limit_counts_points = false;  // at the limit: the 24-point count if both kings entered
  int quiet_ply_limit = 0;               // plies without a capture that draw; 0: none
  bool insufficient_material_draws = false;
  bool illegal_move_loses = false;      // otherwise it is refused and the game continues
  bool drawn_game_is_replayed = false;  // sides swapped, remaining time kept

  friend bool operator==(const Ruleset&, const Ruleset&) = default;
};

// The named rulesets of a variant, its default first. Shogi: standard, professional, csa27;
// minishogi and xiangqi: standard.
std::span<const Ruleset> RulesetsOf(Variant variant);
// NOT_FOUND/UNKNOWN_RULESET. An empty id is the default.
Result<Ruleset> FindRuleset(Variant variant, std::string_view id);

// `base` with options changed by name (the field names above; enums by their lower-case names:
// draw, first_loses; none, points24, points24_by_agreement, points27; booleans true/false).
// INVALID_ARGUMENT/UNKNOWN_RULE_OPTION or BAD_RULE_OPTION.
Result<Ruleset> Customize(const Ruleset& base,
                          std::span<const std::pair<std::string, std::string>> options);

inline constexpr Reason kUnknownRuleset{Code::kNotFound, "UNKNOWN_RULESET"};
inline constexpr Reason kUnknownRuleOption{Code::kInvalidArgument, "UNKNOWN_RULE_OPTION"};
inline constexpr Reason kBadRuleOption{Code::kInvalidArgument, "BAD_RULE_OPTION"};

}  // namespace komadai::rules
