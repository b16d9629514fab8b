#include "services/engine/domain/engine_spec.h"

#include <gtest/gtest.h>

namespace komadai::engine {
namespace {

TEST(EngineSpecTest, FairyStockfishPlaysAllThreeGames) {
  const EngineSpec spec = FairyStockfish("/usr/games/fairy-stockfish");
  for (const rules::Variant variant : rules::kVariants) {
    ASSERT_NE(spec.FindPlay(variant), nullptr);
  }
  EXPECT_EQ(spec.FindPlay(rules::Variant::kMinishogi)->variant_option, "minishogi");
  EXPECT_EQ(spec.FindPlay(rules::Variant::kXiangqi)->protocol, Protocol::kUci);
}

TEST(EngineSpecTest, ReadsAnEngineWithArguments) {
  const auto spec = ParseEngineSpec("yane:usi:shogi:/opt/yaneuraou --quiet x");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->id, "yane");
  EXPECT_EQ(spec->command, (std::vector<std::string>{"/opt/yaneuraou", "--quiet", "x"}));
  ASSERT_EQ(spec->plays.size(), 1u);
  EXPECT_EQ(spec->plays[0].protocol, Protocol::kUsi);
  EXPECT_EQ(spec->FindPlay(rules::Variant::kXiangqi), nullptr);
}

TEST(EngineSpecTest, ReadsSeveralVariants) {
  const auto spec = ParseEngineSpec("two:usi:shogi+minishogi:/opt/two");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->plays.size(), 2u);
}

TEST(EngineSpecTest, RefusesMalformedText) {
  for (const char* text :
       {"", "a", "a:usi:shogi", "a:usi:shogi:", "a:xboard:shogi:/x", "a:usi:chess:/x", "a:usi::/x",
        "A B:usi:shogi:/x", "a:usi:xiangqi:/x", "a:uci:shogi:/x"}) {
    EXPECT_FALSE(ParseEngineSpec(text)) << text;
  }
}

}  // namespace
}  // namespace komadai::engine
