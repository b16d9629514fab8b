#include "libs/rules/handicap.h"

#include <set>

#include "libs/rules/positions_test.h"
#include "libs/rules/ruleset.h"

namespace komadai::rules {
namespace {

std::string SfenOf(Variant variant, std::string_view id) {
  const auto position = StartPosition(variant, id);
  EXPECT_TRUE(position) << id;
  return notation::FormatSfen(position->ToSetup());
}

TEST(EvenGame, IsTheOneEverybodyKnows) {
  EXPECT_EQ(SfenOf(Variant::kShogi, ""), notation::kShogiStart);
  EXPECT_EQ(SfenOf(Variant::kMinishogi, "none"), notation::kMinishogiStart);
  EXPECT_EQ(notation::FormatFen(StartPosition(Variant::kXiangqi).ToSetup()),
            notation::kXiangqiStart);
}

TEST(Handicaps, RemoveUwatesPiecesAndLetUwateMoveFirst) {
  const auto sfen = [](std::string_view id) { return SfenOf(Variant::kShogi, id); };
  const std::string rest = "/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1";
  EXPECT_EQ(sfen("left_lance"), "lnsgkgsn1/1r5b1" + rest);
  EXPECT_EQ(sfen("right_lance"), "1nsgkgsnl/1r5b1" + rest);
  EXPECT_EQ(sfen("silver"), "ln1gkgsnl/1r5b1" + rest);
  EXPECT_EQ(sfen("left_silver"), "lnsgkg1nl/1r5b1" + rest);
  EXPECT_EQ(sfen("bishop"), "lnsgkgsnl/1r7" + rest);
  EXPECT_EQ(sfen("rook"), "lnsgkgsnl/7b1" + rest);
  EXPECT_EQ(sfen("rook_lance"), "lnsgkgsn1/7b1" + rest);
  EXPECT_EQ(sfen("2_piece"), "lnsgkgsnl/9" + rest);
  EXPECT_EQ(sfen("3_piece"), "1nsgkgsnl/9" + rest);
  EXPECT_EQ(sfen("3_piece_left_lance"), "lnsgkgsn1/9" + rest);
  EXPECT_EQ(sfen("4_piece"), "1nsgkgsn1/9" + rest);
  EXPECT_EQ(sfen("5_piece"), "2sgkgsn1/9" + rest);
  EXPECT_EQ(sfen("5_piece_left_knight"), "1nsgkgs2/9" + rest);
  EXPECT_EQ(sfen("6_piece"), "2sgkgs2/9" + rest);
  EXPECT_EQ(sfen("8_piece"), "3gkg3/9" + rest);
  EXPECT_EQ(sfen("10_piece"), "4k4/9" + rest);
  EXPECT_EQ(sfen("bare_king"), "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1");
  EXPECT_EQ(sfen("three_pawns"), "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1");
}

TEST(Handicaps, OfMinishogi) {
  EXPECT_EQ(SfenOf(Variant::kMinishogi, "bishop"), "r1sgk/4p/5/P4/KGSBR w - 1");
  EXPECT_EQ(SfenOf(Variant::kMinishogi, "4_piece"), "4k/4p/5/P4/KGSBR w - 1");
}

TEST(Handicaps, HaveNamesInEveryLanguageAndUniqueIds) {
  for (const Variant variant : kVariants) {
    std::set<std::string_view> ids;
    for (const Handicap& handicap : HandicapsOf(variant)) {
      EXPECT_TRUE(ids.insert(handicap.id).second) << handicap.id;
      for (const auto name :
           {handicap.english, handicap.romaji, handicap.kanji, handicap.vietnamese}) {
        EXPECT_FALSE(name.empty()) << handicap.id;
      }
    }
  }
  EXPECT_EQ(FindHandicap(Variant::kXiangqi, "2_piece").error().reason(), "UNKNOWN_HANDICAP");
}

// What a game's folder defines must be usable by code that knows only the game's name.
class EveryGame : public testing::TestWithParam<Variant> {};

TEST_P(EveryGame, IsFoundByItsName) { EXPECT_EQ(FindVariant(VariantName(GetParam())), GetParam()); }

TEST_P(EveryGame, StartsFromEachOfItsHandicaps) {
  EXPECT_EQ(HandicapsOf(GetParam()).front().id, "none");
  for (const Handicap& handicap : HandicapsOf(GetParam())) {
    const auto start = StartPosition(GetParam(), handicap.id);
    ASSERT_TRUE(start) << handicap.id;
    EXPECT_EQ(start->variant(), GetParam());
    EXPECT_EQ(start->side_to_move(), handicap.id == "none" ? Side::kFirst : Side::kSecond);
    EXPECT_TRUE(start->HasLegalMove()) << handicap.id;
  }
}

TEST_P(EveryGame, HasRulesetsOfItsOwnWithUniqueIds) {
  std::set<std::string_view> ids;
  for (const Ruleset& ruleset : RulesetsOf(GetParam())) {
    EXPECT_EQ(ruleset.variant, GetParam());
    EXPECT_TRUE(ids.insert(ruleset.id).second) << ruleset.id;
    EXPECT_EQ(*FindRuleset(GetParam(), ruleset.id), ruleset);
  }
  EXPECT_EQ(RulesetsOf(GetParam()).front().id, "standard");
}

INSTANTIATE_TEST_SUITE_P(Variants, EveryGame, testing::ValuesIn(kVariants),
                         [](const auto& suite) { return std::string(VariantName(suite.param)); });

TEST(Rulesets, AreFoundByIdAndTheFirstIsTheDefault) {
  EXPECT_EQ(FindRuleset(Variant::kShogi, "")->id, "standard");
  EXPECT_EQ(FindRuleset(Variant::kShogi, "csa27")->impasse, ImpasseRule::kPoints27);
  EXPECT_EQ(FindRuleset(Variant::kXiangqi, "csa27").error().reason(), "UNKNOWN_RULESET");
}

TEST(Rulesets, CustomOptionsAreCheckedByNameAndValue) {
  const Ruleset base = *FindRuleset(Variant::kShogi, "standard");
  const auto customize = [&base](std::string name, std::string value) {
    const std::pair<std::string, std::string> options[] = {{std::move(name), std::move(value)}};
    return Customize(base, options);
  };
  EXPECT_EQ(customize("ply_limit", "256")->ply_limit, 256);
  EXPECT_EQ(customize("ply_limit", "256")->id, "custom");
  EXPECT_EQ(customize("ply_limit", "400")->id, "standard");
  EXPECT_EQ(customize("impasse", "points27")->impasse, ImpasseRule::kPoints27);
  EXPECT_EQ(customize("ply_limit", "-3").error().reason(), "BAD_RULE_OPTION");
  EXPECT_EQ(customize("ply_limit", "3x").error().reason(), "BAD_RULE_OPTION");
  EXPECT_EQ(customize("castling", "true").error().reason(), "UNKNOWN_RULE_OPTION");
}

}  // namespace
}  // namespace komadai::rules
