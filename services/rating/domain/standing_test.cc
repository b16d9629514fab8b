#include "services/rating/domain/standing.h"

#include <gtest/gtest.h>

namespace komadai::rating {
namespace {

RatedGame GameAt(std::int64_t ms, elo::Score first_score) {
  RatedGame game;
  game.id = "g" + std::to_string(ms);
  game.first.id = "p1";
  game.second.id = "p2";
  game.first_score = first_score;
  game.ended_at = FromUnixMillis(ms);
  return game;
}

TEST(StandingTest, AWinCountsForBothSides) {
  const RatedPair pair = Rate(GameAt(1, elo::kWin), Standing(), Standing());
  EXPECT_EQ(pair.first.wins, 1);
  EXPECT_EQ(pair.second.losses, 1);
  EXPECT_EQ(pair.first.rating.milli_points, 1'216'000);
  EXPECT_EQ(pair.first.peak, pair.first.rating);
  EXPECT_EQ(pair.second.peak, elo::kInitialRating);
  EXPECT_EQ(pair.first_change.number, 1);
  EXPECT_EQ(pair.first_change.player_id, "p1");
  EXPECT_EQ(pair.first_change.opponent_id, "p2");
  EXPECT_EQ(pair.second_change.side.score, elo::kLoss);
}

TEST(StandingTest, AProvisionalPlayerHasNoGrade) {
  Standing first;
  first.rating = elo::Rating::FromPoints(2000);
  first.wins = 8;
  first.losses = 8;
  const RatedPair seventeenth = Rate(GameAt(1, elo::kDraw), first, first);
  EXPECT_EQ(seventeenth.first.games(), 17);
  EXPECT_FALSE(seventeenth.first.grade);
  const RatedPair eighteenth = Rate(GameAt(2, elo::kDraw), seventeenth.first, seventeenth.second);
  ASSERT_TRUE(eighteenth.first.grade);
  EXPECT_EQ(elo::GradeName(*eighteenth.first.grade), "3 dan");
  EXPECT_EQ(ToUnixMillis(eighteenth.first.grade_reached_at), 2);
}

TEST(StandingTest, AGradeOnceReachedIsNeverLost) {
  Standing first;
  first.rating = elo::Rating::FromPoints(1681);
  first.wins = 10;
  first.losses = 10;
  const RatedPair up = Rate(GameAt(1, elo::kWin), first, first);
  EXPECT_EQ(elo::GradeName(*up.first.grade), "1 dan");
  Standing falling = up.first;
  for (int i = 2; i < 30; ++i) falling = Rate(GameAt(i, elo::kLoss), falling, first).first;
  EXPECT_LT(falling.rating, elo::Rating::FromPoints(1560));
  EXPECT_EQ(elo::GradeName(*falling.grade), "1 dan");
  EXPECT_EQ(ToUnixMillis(falling.grade_reached_at), 1);
}

TEST(StandingTest, OnlyEstablishedPlayersAreRanked) {
  Standing standing;
  standing.wins = 18;
  EXPECT_FALSE(standing.ranked());  // only wins so far
  standing.losses = 1;
  EXPECT_TRUE(standing.ranked());
  standing.wins = 16;
  EXPECT_FALSE(standing.ranked());
}

TEST(StandingTest, AGradeIsReachedOnceHoweverLongItIsHeld) {
  Standing first;
  first.rating = elo::Rating::FromPoints(1900);
  first.wins = 10;
  first.losses = 10;
  const Standing reached = Rate(GameAt(1, elo::kDraw), first, first).first;
  const Standing held = Rate(GameAt(2, elo::kDraw), reached, first).first;
  EXPECT_EQ(held.grade, reached.grade);
  EXPECT_EQ(ToUnixMillis(held.grade_reached_at), 1);
}

}  // namespace
}  // namespace komadai::rating
