// Ranks on boards large enough to be counted from the distribution of their ratings.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>

#include "libs/base/random.h"
#include "services/rating/testing/rating_stores.h"

namespace komadai::rating {
namespace {

constexpr int kPlayers = 12'000;
static_assert(kPlayers > kLargeBoard);

class HandTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_.load()); }
  void Advance(Millis by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{ToUnixMillis(SystemTimeSource().Now())};
};

class LargeBoardTest : public RatingStoreTest {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    store_ =
        std::make_unique<RatingStore>(std::shared_ptr<sql::Database>(backend_->Open()), hand_time_);
    ASSERT_TRUE(SyncWait(store_->Check(Soon())));
    // Ratings from 400 to 2400 points, many of them equal.
    const std::string numbers =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
        std::to_string(kPlayers) + ") ";
    Write("INSERT INTO players (player_id, name, kind, created_at) " + numbers +
          "SELECT 'p' || i, 'Name', 'person', 0 FROM n");
    Write("INSERT INTO ratings (player_id, variant, rating, peak, wins, losses, draws, ranked) " +
          numbers +
          "SELECT 'p' || i, 'shogi', 400000 + (i * 7919 % 2000) * 1000 + i % 3, 2400000, 10, 10, "
          "0, 1 FROM n");
  }
  std::int64_t Write(const std::string& statement) {
    const std::unique_ptr<sql::Database> database = backend_->Open();
    const auto work = [statement](sql::Transaction& tx) -> Result<std::int64_t> {
      const Result<sql::Rows> rows = tx.Execute(statement);
      if (!rows) return rows.error();
      return rows->empty() ? rows->affected() : (*rows)[0].Int(0);
    };
    const Result<std::int64_t> result =
        SyncWait(sql::Transact(*database, sql::Access::kWrite, Soon(), work));
    EXPECT_TRUE(result) << result.error().ToString();
    return *result;
  }
  // Counted player by player.
  std::int64_t TrueRank(const std::string& id) {
    return 1 + Write(
                   "SELECT COUNT(*) FROM ratings WHERE variant = 'shogi' AND ranked = 1 AND "
                   "rating > (SELECT rating FROM ratings WHERE player_id = '" +
                   id + "' AND variant = 'shogi')");
  }

  HandTime hand_time_;
};

INSTANTIATE_TEST_SUITE_P(Backends, LargeBoardTest, ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(LargeBoardTest, RanksAreThoseCountedPlayerByPlayer) {
  SeededRandom random(3);
  for (int i = 0; i < 40; ++i) {
    const std::string id = "p" + std::to_string(1 + random.Below(kPlayers));
    const LeaderboardPage page = Board(std::nullopt, 3, id);
    ASSERT_TRUE(page.own);
    EXPECT_EQ(page.own->rank, TrueRank(id)) << id;
    EXPECT_EQ(page.entries.front().rank, 1);
    const LeaderboardPage next =
        Board(LeaderboardCursor{page.own->standing.rating, page.own->player.id}, 20);
    for (const LeaderboardEntry& entry : next.entries) {
      EXPECT_EQ(entry.rank, TrueRank(entry.player.id)) << entry.player.id;
    }
  }
}

TEST_P(LargeBoardTest, ARankIsNeverOlderThanTheDistribution) {
  const std::int64_t before = Board(std::nullopt, 1, "p1").own->rank;
  ASSERT_GT(before, 100);
  // All who were above fall below zero.
  Write(
      "UPDATE ratings SET rating = rating - 3000000 WHERE rating > "
      "(SELECT rating FROM ratings WHERE player_id = 'p1' AND variant = 'shogi')");
  hand_time_.Advance(Millis(30'000));
  EXPECT_EQ(Board(std::nullopt, 1, "p1").own->rank, 1);
  EXPECT_EQ(TrueRank("p1"), 1);
}

}  // namespace
}  // namespace komadai::rating
