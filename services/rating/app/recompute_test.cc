// The recomputation on every database: a sound one has no findings, a spoilt one has, and only what
// follows from a sound history is repaired.
#include "services/rating/app/recompute.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/rating/testing/rating_stores.h"

namespace komadai::rating {
namespace {

class RecomputeTest : public RatingStoreTest {
 protected:
  void SetUp() override {
    RatingStoreTest::SetUp();
    for (int i = 0; i < 60; ++i) {
      const elo::Score score = i % 3 == 0 ? elo::kWin : i % 3 == 1 ? elo::kDraw : elo::kLoss;
      const std::string second = "p" + std::to_string(2 + i % 4);
      RatedGame game = Game("g" + std::to_string(i), "p1", second, score);
      if (i % 5 == 0) {
        game.handicap = "rook";
        game.handicap_ranks = 2;
      }
      ASSERT_TRUE(Apply(game));
    }
  }
  Recomputed Run(bool repair = false) {
    findings_.clear();
    const Result<Recomputed> sum = SyncWait(Recompute(
        *store_, time_, repair, [this](const std::string& text) { findings_.push_back(text); }));
    EXPECT_TRUE(sum) << sum.error().ToString();
    return *sum;
  }
  void Spoil(const std::string& statement) {
    const std::unique_ptr<sql::Database> database = backend_->Open();
    const auto work = [statement](sql::Transaction& tx) -> Result<std::int64_t> {
      const Result<sql::Rows> rows = tx.Execute(statement);
      if (!rows) return rows.error();
      return rows->affected();
    };
    const Result<std::int64_t> changed =
        SyncWait(sql::Transact(*database, sql::Access::kWrite, Soon(), work));
    ASSERT_TRUE(changed) << changed.error().ToString();
    ASSERT_EQ(*changed, 1);
  }

  std::vector<std::string> findings_;
};

INSTANTIATE_TEST_SUITE_P(Backends, RecomputeTest, ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(RecomputeTest, P6ASoundDatabaseHasNoFindings) {
  const Recomputed sum = Run();
  EXPECT_EQ(sum.games, 60);
  EXPECT_EQ(sum.changes, 120);
  EXPECT_EQ(sum.standings, 5);
  EXPECT_EQ(sum.findings, 0) << findings_.front();
}

TEST_P(RecomputeTest, AWrongRatingIsFoundAndRepaired) {
  const Standing right = StandingOf("p1");
  Spoil("UPDATE ratings SET rating = rating + 1, wins = wins - 1 WHERE player_id = 'p1'");
  EXPECT_EQ(Run().findings, 1);
  EXPECT_NE(StandingOf("p1").rating, right.rating);
  const Recomputed repaired = Run(/*repair=*/true);
  EXPECT_EQ(repaired.findings, 1);
  EXPECT_EQ(repaired.repaired, 1);
  EXPECT_TRUE(StandingOf("p1") == right);
  EXPECT_EQ(Run().findings, 0);
}

TEST_P(RecomputeTest, ALostRatingIsFoundAndRepaired) {
  Spoil("DELETE FROM ratings WHERE player_id = 'p3'");
  EXPECT_EQ(Run().findings, 1);
  EXPECT_EQ(Run(/*repair=*/true).repaired, 1);
  EXPECT_EQ(Run().findings, 0);
}

TEST_P(RecomputeTest, ALostChangeIsFoundAndNotPaperedOver) {
  Spoil("DELETE FROM rating_changes WHERE player_id = 'p2' AND game_id = 'g4'");
  const Recomputed sum = Run(/*repair=*/true);
  EXPECT_GE(sum.findings, 2);  // the game without its change, the history with a gap
  EXPECT_EQ(sum.repaired, 0);
}

TEST_P(RecomputeTest, AChangedHistoryIsFound) {
  Spoil(
      "UPDATE rating_changes SET after_rating = after_rating + 5 WHERE player_id = 'p1' "
      "AND game_id = 'g7'");
  EXPECT_GE(Run().findings, 1);
}

}  // namespace
}  // namespace komadai::rating
