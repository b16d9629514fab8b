#include "libs/convert/game_setup.h"

#include <string>
#include <utility>
#include <vector>

#include "libs/notation/errors.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"

namespace komadai::convert {
namespace {

using rules::ImpasseRule;

// The same error as INVALID_ARGUMENT: an id that the catalogue lacks is a mistake of the request.
Error InRequest(Reason reason, std::string_view what, std::string_view id) {
  return notation::TextError(reason, what, id);
}

Result<std::string> ImpasseOption(pb::ImpasseRule rule) {
  switch (rule) {
    case pb::IMPASSE_RULE_NONE:
      return std::string("none");
    case pb::IMPASSE_RULE_POINTS_24:
      return std::string("points24");
    case pb::IMPASSE_RULE_POINTS_24_BY_AGREEMENT:
      return std::string("points24_by_agreement");
    case pb::IMPASSE_RULE_POINTS_27:
      return std::string("points27");
    default:
      return Error(rules::kBadRuleOption, "unknown impasse rule " + std::to_string(rule),
                   {{"option", "impasse"}, {"value", std::to_string(rule)}});
  }
}

pb::ImpasseRule ToProto(ImpasseRule rule) {
  switch (rule) {
    case ImpasseRule::kNone:
      return pb::IMPASSE_RULE_NONE;
    case ImpasseRule::kPoints24:
      return pb::IMPASSE_RULE_POINTS_24;
    case ImpasseRule::kPoints24ByAgreement:
      return pb::IMPASSE_RULE_POINTS_24_BY_AGREEMENT;
    case ImpasseRule::kPoints27:
      return pb::IMPASSE_RULE_POINTS_27;
  }
  return pb::IMPASSE_RULE_UNSPECIFIED;
}

using Options = std::vector<std::pair<std::string, std::string>>;

// Only what differs from `base`: a ruleset spelled out in full stays the named one.
Result<Options> DeviationsFrom(const rules::Ruleset& base, const pb::Ruleset& asked) {
  Options options;
  if (asked.has_ply_limit() && asked.ply_limit() != base.ply_limit) {
    if (asked.ply_limit() < 0 || asked.ply_limit() > kMaxPlyLimit) {
      return Error(rules::kBadRuleOption, "ply_limit must be 0 to 10000",
                   {{"option", "ply_limit"}, {"value", std::to_string(asked.ply_limit())}});
    }
    options.emplace_back("ply_limit", std::to_string(asked.ply_limit()));
  }
  if (asked.has_illegal_move_loses() && asked.illegal_move_loses() != base.illegal_move_loses) {
    options.emplace_back("illegal_move_loses", asked.illegal_move_loses() ? "true" : "false");
  }
  if (asked.impasse_rule() != pb::IMPASSE_RULE_UNSPECIFIED &&
      asked.impasse_rule() != ToProto(base.impasse)) {
    Result<std::string> option = ImpasseOption(asked.impasse_rule());
    if (!option) return option.error();
    if (base.variant != rules::Variant::kShogi) {
      return Error(rules::kBadRuleOption, "only shogi has an impasse rule",
                   {{"option", "impasse"}, {"value", *option}});
    }
    options.emplace_back("impasse", *std::move(option));
  }
  return options;
}

Result<rules::Position> PositionOf(rules::Variant variant, const pb::GameSetup& setup,
                                   rules::Kings kings) {
  if (setup.has_position()) return notation::ParsePosition(variant, setup.position(), kings);
  Result<rules::Position> start = rules::StartPosition(variant, setup.handicap());
  if (!start && start.error().Is(rules::kUnknownHandicap)) {
    return InRequest(kUnknownHandicap, "unknown handicap", setup.handicap());
  }
  return start;
}

}  // namespace

Result<rules::Ruleset> RulesetFromProto(rules::Variant variant, const pb::Ruleset& asked) {
  Result<rules::Ruleset> base = rules::FindRuleset(variant, asked.id());
  if (!base) return InRequest(kUnknownRuleset, "unknown ruleset", asked.id());
  Result<Options> options = DeviationsFrom(*base, asked);
  if (!options) return options.error();
  if (options->empty()) return base;
  return rules::Customize(*base, *options);
}

pb::Ruleset ToProto(const rules::Ruleset& ruleset, std::string_view base_id) {
  pb::Ruleset out;
  out.set_id(base_id.empty() ? ruleset.id : std::string(base_id));
  out.set_ply_limit(ruleset.ply_limit);
  out.set_illegal_move_loses(ruleset.illegal_move_loses);
  out.set_impasse_rule(ToProto(ruleset.impasse));
  return out;
}

Result<GameStart> StartFromProto(const pb::GameSetup& setup, rules::Kings kings) {
  Result<rules::Variant> variant = VariantFromProto(setup.variant());
  if (!variant) return variant.error();
  Result<rules::Ruleset> ruleset = RulesetFromProto(*variant, setup.ruleset());
  if (!ruleset) return ruleset.error();
  Result<rules::Position> position = PositionOf(*variant, setup, kings);
  if (!position) return position.error();

  pb::GameSetup normal = setup;
  Result<rules::Ruleset> base = rules::FindRuleset(*variant, setup.ruleset().id());
  *normal.mutable_ruleset() = ToProto(*ruleset, base ? base->id : std::string_view());
  if (setup.has_position()) normal.set_position(notation::FormatPosition(*position));
  return GameStart{*std::move(ruleset), *position, std::move(normal)};
}

}  // namespace komadai::convert
