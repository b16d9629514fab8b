#include "libs/elo/elo.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "libs/base/random.h"

namespace komadai::elo {
namespace {

Rating Points(double points) { return Rating::FromPoints(points); }

TEST(EloTest, ExpectedScoreFollowsTheFormula) {
  EXPECT_EQ(ExpectedScore(Points(1200), Points(1200)), kDraw);
  EXPECT_EQ(ExpectedScore(Points(1600), Points(1200)).millionths, 909091);  // 10/11
  EXPECT_EQ(ExpectedScore(Points(1200), Points(1600)).millionths, 90909);   // 1/11
  EXPECT_EQ(ExpectedScore(Points(1500), Points(1300)).millionths, 759747);  // 1/(1+10^-0.5)
  EXPECT_EQ(ExpectedScore(Points(5000), Points(0)), kWin);
}

TEST(EloTest, FactorKFollowsTheRatingBeingUpdated) {
  const struct {
    double points;
    int k;
  } cases[] = {{2500, 16},     {2240, 16},    {2239.999, 20}, {1920, 20},
               {1919.999, 24}, {1560, 24},    {1559.999, 28}, {1280, 28},
               {1279.999, 32}, {1200, 32},    {1040, 32},     {1039.999, 36},
               {720, 36},      {719.999, 40}, {0, 40},        {-100, 40}};
  for (const auto& c : cases) EXPECT_EQ(FactorK(Points(c.points)), c.k) << c.points;
}

TEST(EloTest, TwoNewPlayersExchangeSixteenPoints) {
  const GameChange game = RateGame(kInitialRating, kInitialRating, kWin, 0);
  EXPECT_EQ(game.first.after.milli_points, 1216000);
  EXPECT_EQ(game.second.after.milli_points, 1184000);
  EXPECT_EQ(game.first.k, 32);
  const GameChange draw = RateGame(kInitialRating, kInitialRating, kDraw, 0);
  EXPECT_EQ(draw.first.after, kInitialRating);
  EXPECT_EQ(draw.second.after, kInitialRating);
}

TEST(EloTest, WorkedExampleOfAFavouriteWhoLoses) {
  // 1500 against 1300: E = 0.759747, K = 28 for both: 28 * 0.759747 = 21.272916.
  const GameChange game = RateGame(Points(1500), Points(1300), kLoss, 0);
  EXPECT_EQ(game.first.after.milli_points, 1478727);
  EXPECT_EQ(game.second.after.milli_points, 1321273);
}

TEST(EloTest, WorkedExampleOfDifferentFactors) {
  // 2250 against 1900, a draw: E = 1/(1+10^-0.875) = 0.882338, K = 16 and 24:
  // 16 * (0.5 - 0.882338) = -6.117408 and 24 * 0.382338 = 9.176112.
  const GameChange game = RateGame(Points(2250), Points(1900), kDraw, 0);
  EXPECT_EQ(game.first.expected.millionths, 882338);
  EXPECT_EQ(game.first.after.milli_points, 2250000 - 6117);
  EXPECT_EQ(game.second.after.milli_points, 1900000 + 9176);
}

TEST(EloTest, WorkedExampleOfATwoPieceGame) {
  // Uwate 1850 is rank 16 + 50/120; two pieces are 3.5 ranks: rank 12.916667, 3 kyu:
  // 1360 + 91.6667 = 1451.667. Shitate 1440: E = 1/(1+10^(11.667/400)) = 0.483216, K = 28.
  const GameChange game = RateGame(Points(1440), Points(1850), kWin, 3.5);
  EXPECT_EQ(game.first.opponent.milli_points, 1451667);
  EXPECT_EQ(game.first.expected.millionths, 483216);
  EXPECT_EQ(game.first.after.milli_points, 1440000 + 14470);   // 28 * 0.516784 = 14.46995
  EXPECT_EQ(game.second.after.milli_points, 1850000 - 12403);  // 24 * 0.516784 = 12.40282
  EXPECT_EQ(game.second.opponent, Points(1440));
}

TEST(EloTest, ProvisionalAndUnratedFollowTheGamesPlayed) {
  EXPECT_TRUE(IsProvisional({17, 9, 8}));
  EXPECT_FALSE(IsProvisional({18, 9, 9}));
  EXPECT_TRUE(IsUnrated({8, 4, 4}));
  EXPECT_FALSE(IsUnrated({9, 4, 5}));
  EXPECT_TRUE(IsUnrated({30, 30, 0}));
  EXPECT_TRUE(IsUnrated({30, 0, 30}));
  EXPECT_FALSE(IsUnrated({30, 29, 0}));  // a draw is neither
  EXPECT_TRUE(IsUnrated({}));
}

class EloPropertyTest : public ::testing::Test {
 protected:
  Rating AnyRating() { return Rating{static_cast<std::int64_t>(random_.Below(3'000'000))}; }
  Score AnyScore() {
    const Score scores[] = {kLoss, kDraw, kWin};
    return scores[random_.Below(3)];
  }
  static constexpr int kRounds = 20000;
  SeededRandom random_{1};
};

TEST_F(EloPropertyTest, ExpectedScoresOfBothSidesSumToOneWin) {
  for (int i = 0; i < kRounds; ++i) {
    const Rating a = AnyRating();
    const Rating b = AnyRating();
    EXPECT_EQ(ExpectedScore(a, b), Opposite(ExpectedScore(b, a)));
  }
}

TEST_F(EloPropertyTest, EqualFactorsExchangeExactlyTheSamePoints) {
  for (int i = 0; i < kRounds; ++i) {
    const GameChange game = RateGame(AnyRating(), AnyRating(), AnyScore(), 0);
    if (game.first.k != game.second.k) continue;
    EXPECT_EQ(game.first.after.milli_points + game.second.after.milli_points,
              game.first.before.milli_points + game.second.before.milli_points);
  }
}

TEST_F(EloPropertyTest, SwappingTheSidesSwapsTheChanges) {
  for (int i = 0; i < kRounds; ++i) {
    const Rating a = AnyRating();
    const Rating b = AnyRating();
    const Score score = AnyScore();
    const GameChange game = RateGame(a, b, score, 0);
    const GameChange swapped = RateGame(b, a, Opposite(score), 0);
    EXPECT_EQ(game.first.after, swapped.second.after);
    EXPECT_EQ(game.second.after, swapped.first.after);
  }
}

TEST_F(EloPropertyTest, ABetterResultNeverGivesLess) {
  for (int i = 0; i < kRounds; ++i) {
    const Rating a = AnyRating();
    const Rating b = AnyRating();
    const Rating lost = RateGame(a, b, kLoss, 0).first.after;
    const Rating drawn = RateGame(a, b, kDraw, 0).first.after;
    const Rating won = RateGame(a, b, kWin, 0).first.after;
    EXPECT_LE(lost, a);
    EXPECT_LT(lost, drawn);
    EXPECT_LT(drawn, won);
    EXPECT_GE(won, a);
  }
}

TEST_F(EloPropertyTest, AStrongerOpponentNeverGivesLess) {
  for (int i = 0; i < kRounds; ++i) {
    const Rating own = AnyRating();
    const Rating weak = AnyRating();
    const Rating strong{weak.milli_points + static_cast<std::int64_t>(random_.Below(500'000))};
    EXPECT_LE(RateGame(own, weak, kWin, 0).first.after, RateGame(own, strong, kWin, 0).first.after);
  }
}

TEST_F(EloPropertyTest, ALargerHandicapNeverCountsAgainstUwate) {
  for (int i = 0; i < kRounds; ++i) {
    const Rating shitate = AnyRating();
    const Rating uwate = AnyRating();
    const GameChange small = RateGame(shitate, uwate, kLoss, 1.5);
    const GameChange large = RateGame(shitate, uwate, kLoss, 3.5);
    EXPECT_LE(small.second.after, large.second.after);
  }
}

TEST_F(EloPropertyTest, AChangeIsAtMostK) {
  for (int i = 0; i < kRounds; ++i) {
    const GameChange game = RateGame(AnyRating(), AnyRating(), AnyScore(), 2.0);
    const auto change = std::abs(game.first.after.milli_points - game.first.before.milli_points);
    EXPECT_LE(change, game.first.k * 1000);
  }
}

}  // namespace
}  // namespace komadai::elo
