#include "libs/rules/handicap.h"

#include <string>

#include "libs/base/check.h"
#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

constexpr std::string_view kEvenGame = "none";

Position Build(Variant variant, const Handicap& handicap) {
  Setup setup = GameOf(variant).StartSetup(handicap);
  setup.side_to_move = handicap.id == kEvenGame ? Side::kFirst : Side::kSecond;
  auto position = Position::From(setup);
  KOMADAI_CHECK(position);
  return *position;
}

}  // namespace

std::span<const Handicap> HandicapsOf(Variant variant) { return GameOf(variant).Handicaps(); }

Result<Handicap> FindHandicap(Variant variant, std::string_view id) {
  const auto handicaps = HandicapsOf(variant);
  if (id.empty()) return handicaps.front();
  for (const Handicap& handicap : handicaps) {
    if (handicap.id == id) return handicap;
  }
  return Error{kUnknownHandicap,
               std::string(VariantName(variant)) + " has no handicap '" + std::string(id) + "'",
               {{"handicap", std::string(id)}, {"variant", std::string(VariantName(variant))}}};
}

Position StartPosition(Variant variant) { return Build(variant, HandicapsOf(variant).front()); }

Result<Position> StartPosition(Variant variant, std::string_view handicap_id) {
  const auto handicap = FindHandicap(variant, handicap_id);
  if (!handicap) return handicap.error();
  return Build(variant, *handicap);
}

}  // namespace komadai::rules
