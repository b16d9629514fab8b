// Head-to-head, charts, the limit of a pair and signals, on every database.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/rating/errors.h"
#include "services/rating/testing/rating_stores.h"

namespace komadai::rating {
namespace {

constexpr Millis kHour{3'600'000};
constexpr Millis kDay{24 * 3'600'000};

class RatingPairsTest : public RatingStoreTest {
 protected:
  RatedGame At(const std::string& id, elo::Score score, TimePoint at) {
    RatedGame game = Game(id, "p1", "p2", score);
    game.ended_at = at;
    game.plies = 80;
    return game;
  }
  Comparison Compare(const std::string& a, const std::string& b, Variant variant) {
    const Result<Comparison> compared = SyncWait(store_->Compare(a, b, variant, Soon()));
    EXPECT_TRUE(compared);
    return *compared;
  }
  PairCheck Check(const std::string& a, const std::string& b) {
    const Result<PairCheck> check = SyncWait(store_->CheckPair(a, b, Soon()));
    EXPECT_TRUE(check);
    return *check;
  }
  SignalPage Signals(const std::string& id, std::optional<SignalCursor> after, std::int64_t limit) {
    const Result<SignalPage> page = SyncWait(store_->ListSignals(id, after, limit, Soon()));
    EXPECT_TRUE(page);
    return *page;
  }
};

INSTANTIATE_TEST_SUITE_P(Backends, RatingPairsTest,
                         ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(RatingPairsTest, HeadToHeadCountsTheGamesOfTheTwoOnly) {
  ASSERT_TRUE(Apply(Game("g1", "p1", "p2", elo::kWin)));
  ASSERT_TRUE(Apply(Game("g2", "p2", "p1", elo::kWin)));
  ASSERT_TRUE(Apply(Game("g3", "p1", "p2", elo::kWin)));
  ASSERT_TRUE(Apply(Game("g4", "p1", "p2", elo::kDraw)));
  ASSERT_TRUE(Apply(Game("g5", "p1", "p3", elo::kLoss)));
  RatedGame other = Game("g6", "p1", "p2", elo::kLoss);
  other.variant = Variant::kXiangqi;
  ASSERT_TRUE(Apply(other));
  const Comparison compared = Compare("p1", "p2", Variant::kShogi);
  EXPECT_EQ(compared.between.wins, 2);
  EXPECT_EQ(compared.between.losses, 1);
  EXPECT_EQ(compared.between.draws, 1);
  EXPECT_EQ(compared.player.rating, StandingOf("p1").rating);
  EXPECT_EQ(compared.opponent.rating, StandingOf("p2").rating);
  EXPECT_EQ(Compare("p2", "p1", Variant::kShogi).between.wins, 1);
  EXPECT_EQ(Compare("p2", "p3", Variant::kShogi).between.wins, 0);
}

TEST_P(RatingPairsTest, AChartHasTheLastRatingOfEachDay) {
  const TimePoint midnight = FromUnixMillis(19'700LL * kDay.count());
  ASSERT_TRUE(Apply(At("g1", elo::kWin, midnight + kHour)));
  ASSERT_TRUE(Apply(At("g2", elo::kWin, midnight + 23 * kHour)));
  ASSERT_TRUE(Apply(At("g3", elo::kLoss, midnight + 2 * kDay)));
  const Result<std::vector<ChartPoint>> chart =
      SyncWait(store_->LoadChart("p1", Variant::kShogi, 1000, Soon()));
  ASSERT_TRUE(chart);
  ASSERT_EQ(chart->size(), 2u);
  EXPECT_EQ((*chart)[0].at, midnight + 23 * kHour);
  EXPECT_EQ((*chart)[0].games, 2);
  EXPECT_EQ((*chart)[1].at, midnight + 2 * kDay);
  EXPECT_EQ((*chart)[1].rating, StandingOf("p1").rating);
  const Result<std::vector<ChartPoint>> latest =
      SyncWait(store_->LoadChart("p1", Variant::kShogi, 1, Soon()));
  ASSERT_TRUE(latest);
  ASSERT_EQ(latest->size(), 1u);
  EXPECT_EQ((*latest)[0].games, 3);
}

TEST_P(RatingPairsTest, APairMayBeginOnlySoManyRatedGamesADay) {
  store_ = NewStore(2);
  const TimePoint now = time_.Now();
  EXPECT_TRUE(Check("p1", "p2").allowed);
  ASSERT_TRUE(Apply(At("g1", elo::kWin, now - 2 * kDay)));  // long ago
  ASSERT_TRUE(Apply(At("g2", elo::kWin, now - 3 * kHour)));
  EXPECT_TRUE(Check("p1", "p2").allowed);
  ASSERT_TRUE(Apply(At("g3", elo::kLoss, now - 2 * kHour)));
  const PairCheck full = Check("p2", "p1");
  EXPECT_FALSE(full.allowed);
  EXPECT_EQ(full.games, 2);
  EXPECT_EQ(full.limit, 2);
  EXPECT_EQ(full.allowed_again, now - 3 * kHour + kDay);
  EXPECT_TRUE(Check("p1", "p3").allowed);
  EXPECT_TRUE(Signals("p1", std::nullopt, 10).signals.empty());

  // One more was created all the same: it is rated, and noted of both.
  ASSERT_TRUE(Apply(At("g4", elo::kWin, now - kHour)));
  EXPECT_EQ(StandingOf("p1").games(), 4);
  for (const char* id : {"p1", "p2"}) {
    const SignalPage page = Signals(id, std::nullopt, 10);
    ASSERT_EQ(page.signals.size(), 1u) << id;
    EXPECT_EQ(page.signals[0].kind, SignalKind::kRepeatedPair);
    EXPECT_EQ(page.signals[0].game_id, "g4");
  }
  store_ = NewStore(0);
  EXPECT_TRUE(Check("p1", "p2").allowed);
}

TEST_P(RatingPairsTest, SignalsArePagedNewestFirstAndWrittenOnce) {
  const TimePoint start = FromUnixMillis(1'700'000'000'000);
  for (int i = 1; i <= 5; ++i) {
    RatedGame game = At("g" + std::to_string(i), elo::kLoss, start + i * kHour);
    game.plies = 6;
    game.conceded = true;
    ASSERT_TRUE(Apply(game));
    ASSERT_TRUE(Apply(game));  // delivered twice
  }
  std::vector<std::string> seen;
  std::optional<SignalCursor> after;
  for (const std::size_t expected : {2u, 2u, 1u}) {
    const SignalPage page = Signals("p1", after, 2);
    ASSERT_EQ(page.signals.size(), expected);
    EXPECT_EQ(page.more, expected == 2u);
    for (const RatingSignal& signal : page.signals) {
      EXPECT_EQ(signal.kind, SignalKind::kEarlyLoss);
      EXPECT_EQ(signal.opponent_id, "p2");
      seen.push_back(signal.game_id);
    }
    const RatingSignal& last = page.signals.back();
    after = SignalCursor{last.at, last.game_id, std::string(SignalName(last.kind))};
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"g5", "g4", "g3", "g2", "g1"}));
  EXPECT_TRUE(Signals("p2", std::nullopt, 10).signals.empty());
}

}  // namespace
}  // namespace komadai::rating
