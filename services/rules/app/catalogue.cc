#include "services/rules/app/catalogue.h"

#include <string>

#include "libs/convert/game_setup.h"
#include "libs/notation/position_text.h"
#include "libs/rules/handicap.h"
#include "services/rules/convert.h"

namespace komadai::rules_service {
namespace {

pb::HandicapInfo InfoOf(rules::Variant variant, const rules::Handicap& handicap) {
  pb::HandicapInfo info;
  info.set_id(std::string(handicap.id));
  info.set_english(std::string(handicap.english));
  info.set_japanese(std::string(handicap.kanji));
  info.set_romaji(std::string(handicap.romaji));
  info.set_vietnamese(std::string(handicap.vietnamese));
  const Result<rules::Position> start = rules::StartPosition(variant, handicap.id);
  if (start) info.set_start_position(notation::FormatPosition(*start));
  return info;
}

pb::VariantInfo InfoOf(rules::Variant variant) {
  pb::VariantInfo info;
  info.set_variant(convert::ToProto(variant));
  info.set_id(std::string(rules::VariantName(variant)));
  info.set_start_position(notation::FormatPosition(rules::StartPosition(variant)));
  for (const rules::Ruleset& ruleset : rules::RulesetsOf(variant)) {
    *info.add_rulesets() = convert::ToProto(ruleset);
  }
  const auto handicaps = rules::HandicapsOf(variant);
  if (handicaps.size() > 1) {  // the even game alone is no choice
    for (const rules::Handicap& handicap : handicaps) {
      *info.add_handicaps() = InfoOf(variant, handicap);
    }
  }
  return info;
}

}  // namespace

Result<pb::ListVariantsResponse> ListVariants(const pb::ListVariantsRequest& /*request*/) {
  pb::ListVariantsResponse response;
  for (const rules::Variant variant : rules::kVariants) {
    *response.add_variants() = InfoOf(variant);
  }
  return response;
}

Result<pb::GetStartPositionResponse> GetStartPosition(const pb::GetStartPositionRequest& request) {
  const Result<convert::GameStart> start = convert::StartFromProto(request.setup());
  if (!start) return InField(start.error(), "setup");
  pb::GetStartPositionResponse response;
  response.set_position(notation::FormatPosition(start->position));
  response.set_side_to_move(convert::ToProto(start->position.side_to_move()));
  *response.mutable_setup() = start->setup;
  return response;
}

}  // namespace komadai::rules_service
