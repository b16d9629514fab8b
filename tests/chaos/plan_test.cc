#include "tests/chaos/plan.h"

#include <gtest/gtest.h>

#include <map>

namespace komadai::chaos {
namespace {

TEST(PlanTest, TheSameSeedAndNumberIsTheSamePlan) {
  const GamePlan a = MakePlan(1, 17, 50);
  const GamePlan b = MakePlan(1, 17, 50);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.style, b.style);
  EXPECT_EQ(a.players[0], b.players[0]);
  EXPECT_EQ(a.players[1], b.players[1]);
  EXPECT_NE(a.seed, MakePlan(1, 18, 50).seed);
  EXPECT_NE(a.seed, MakePlan(2, 17, 50).seed);
}

TEST(PlanTest, EveryKindOfGameIsPlanned) {
  std::map<Style, int> styles;
  std::map<rules::Variant, int> variants;
  int rated = 0;
  int challenges = 0;
  int computers = 0;
  constexpr int kGames = 500;
  for (int number = 0; number < kGames; ++number) {
    const GamePlan plan = MakePlan(9, number, 10);
    ++styles[plan.style];
    ++variants[plan.variant];
    rated += plan.rated ? 1 : 0;
    challenges += plan.by_challenge ? 1 : 0;
    computers += plan.against_computer ? 1 : 0;
    EXPECT_FALSE(plan.against_computer && plan.rated);
    EXPECT_NE(plan.players[0], plan.players[1]);
    EXPECT_LT(plan.players[0], 10U);
    EXPECT_LT(plan.players[1], 10U);
    EXPECT_GT(plan.max_plies, 0);
  }
  EXPECT_EQ(styles.size(), 5U);
  EXPECT_EQ(variants.size(), 3U);
  for (const auto& [style, games] : styles) EXPECT_GT(games, kGames / 25);
  for (const auto& [variant, games] : variants) EXPECT_GT(games, kGames / 10);
  EXPECT_GT(rated, kGames / 2);
  EXPECT_LT(rated, kGames);
  EXPECT_GT(challenges, kGames / 10);
  EXPECT_LT(challenges, kGames / 2);
  EXPECT_GT(computers, kGames / 50);
  EXPECT_LT(computers, kGames / 10);
}

TEST(PlanTest, WhimsOfTheTwoSidesDiffer) {
  const GamePlan plan = MakePlan(1, 1, 4);
  Whims first(plan, Side::kFirst);
  Whims second(plan, Side::kSecond);
  EXPECT_NE(first.random().Next(), second.random().Next());
  for (int i = 0; i < 100; ++i) {
    const Millis pause = first.Between(Millis(3), Millis(5));
    EXPECT_GE(pause, Millis(3));
    EXPECT_LE(pause, Millis(5));
  }
}

}  // namespace
}  // namespace komadai::chaos
