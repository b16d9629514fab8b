#include "libs/rules/ruleset.h"

#include <charconv>
#include <initializer_list>

#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

Error BadValue(const std::string& name, const std::string& value) {
  return Error{kBadRuleOption,
               "'" + value + "' is no value of the option " + name,
               {{"option", name}, {"value", value}}};
}

Status SetBool(bool& field, const std::string& name, const std::string& value) {
  if (value != "true" && value != "false") return BadValue(name, value);
  field = value == "true";
  return {};
}

Status SetInt(int& field, const std::string& name, const std::string& value, int low, int high) {
  int parsed = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, parsed);
  if (error != std::errc() || stop != end) return BadValue(name, value);
  if (parsed != 0 && (parsed < low || parsed > high)) return BadValue(name, value);
  field = parsed;
  return {};
}

template <class Enum>
Status SetEnum(Enum& field, const std::string& name, const std::string& value,
               std::initializer_list<std::pair<std::string_view, Enum>> values) {
  for (const auto& [text, meaning] : values) {
    if (text == value) {
      field = meaning;
      return {};
    }
  }
  return BadValue(name, value);
}

Status SetOption(Ruleset& rules, const std::string& name, const std::string& value) {
  if (name == "repetition_count") return SetInt(rules.repetition_count, name, value, 2, 10);
  if (name == "ply_limit") return SetInt(rules.ply_limit, name, value, 1, 4096);
  if (name == "quiet_ply_limit") return SetInt(rules.quiet_ply_limit, name, value, 1, 4096);
  if (name == "perpetual_check_loses") return SetBool(rules.perpetual_check_loses, name, value);
  if (name == "perpetual_chase_loses") return SetBool(rules.perpetual_chase_loses, name, value);
  if (name == "credit_handicap") return SetBool(rules.credit_handicap, name, value);
  if (name == "ply_limit_counts_points") {
    return SetBool(rules.ply_limit_counts_points, name, value);
  }
  if (name == "insufficient_material_draws") {
    return SetBool(rules.insufficient_material_draws, name, value);
  }
  if (name == "illegal_move_loses") return SetBool(rules.illegal_move_loses, name, value);
  if (name == "drawn_game_is_replayed") return SetBool(rules.drawn_game_is_replayed, name, value);
  if (name == "plain_repetition") {
    return SetEnum(
        rules.plain_repetition, name, value,
        {{"draw", PlainRepetition::kDraw}, {"first_loses", PlainRepetition::kFirstLoses}});
  }
  if (name == "impasse") {
    return SetEnum(rules.impasse, name, value,
                   {{"none", ImpasseRule::kNone},
                    {"points24", ImpasseRule::kPoints24},
                    {"points24_by_agreement", ImpasseRule::kPoints24ByAgreement},
                    {"points27", ImpasseRule::kPoints27}});
  }
  return Error{kUnknownRuleOption, "a ruleset has no option " + name, {{"option", name}}};
}

}  // namespace

std::span<const Ruleset> RulesetsOf(Variant variant) { return GameOf(variant).Rulesets(); }

Result<Ruleset> FindRuleset(Variant variant, std::string_view id) {
  const auto rulesets = RulesetsOf(variant);
  if (id.empty()) return rulesets.front();
  for (const Ruleset& ruleset : rulesets) {
    if (ruleset.id == id) return ruleset;
  }
  return Error{
      kUnknownRuleset,
      "there is no ruleset '" + std::string(id) + "' of " + std::string(VariantName(variant)),
      {{"ruleset", std::string(id)}, {"variant", std::string(VariantName(variant))}}};
}

Result<Ruleset> Customize(const Ruleset& base,
                          std::span<const std::pair<std::string, std::string>> options) {
  Ruleset rules = base;
  for (const auto& [name, value] : options) {
    if (auto set = SetOption(rules, name, value); !set) return set.error();
  }
  if (!(rules == base)) rules.id = "custom";
  return rules;
}

}  // namespace komadai::rules
