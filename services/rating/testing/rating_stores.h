// What the tests of the rating store share: a store on each database, players and games.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/sql/testing/backends.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

using rules::Variant;

inline Player Person(const std::string& id) {
  Player player;
  player.id = id;
  player.name = "Name of " + id;
  player.kind = PlayerKind::kPerson;
  player.created_at = FromUnixMillis(1'700'000'000'000);
  return player;
}

inline RatedGame Game(const std::string& id, const std::string& first, const std::string& second,
                      elo::Score first_score) {
  RatedGame game;
  game.id = id;
  game.first = Person(first);
  game.second = Person(second);
  game.first_score = first_score;
  game.ended_at = FromUnixMillis(1'700'000'000'000);
  return game;
}

class RatingStoreTest : public ::testing::TestWithParam<sql::testing::BackendCase> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    store_ = NewStore();
  }

  // As another replica of the service has it.
  std::unique_ptr<RatingStore> NewStore(int pair_games_per_day = 0) {
    return std::make_unique<RatingStore>(std::shared_ptr<sql::Database>(backend_->Open()), time_,
                                         pair_games_per_day);
  }
  TimePoint Soon() const { return time_.Now() + Millis(60'000); }

  Result<Applied> Apply(const RatedGame& game) { return SyncWait(store_->Apply(game, Soon())); }
  Standing StandingOf(const std::string& id, Variant variant = Variant::kShogi) {
    const Result<Standing> standing = SyncWait(store_->LoadStanding(id, variant, Soon()));
    EXPECT_TRUE(standing);
    return *standing;
  }
  std::vector<RatingChange> HistoryOf(const std::string& id, Variant variant = Variant::kShogi) {
    const Result<HistoryPage> page =
        SyncWait(store_->ListHistory(id, variant, std::nullopt, 100'000, Soon()));
    EXPECT_TRUE(page);
    return page->changes;
  }
  LeaderboardPage Board(std::optional<LeaderboardCursor> after, std::int64_t limit,
                        const std::string& own_id = "") {
    const Result<LeaderboardPage> page =
        SyncWait(store_->ListLeaderboard(Variant::kShogi, after, limit, own_id, Soon()));
    EXPECT_TRUE(page);
    return *page;
  }

  // Promise P6: a rating is the fold of its history, each change follows from the one before.
  void ExpectRatingIsFoldOfHistory(const std::string& id) {
    std::vector<RatingChange> history = HistoryOf(id);
    std::reverse(history.begin(), history.end());
    elo::Rating rating = elo::kInitialRating;
    Standing folded;
    for (std::size_t i = 0; i < history.size(); ++i) {
      const elo::SideChange& side = history[i].side;
      EXPECT_EQ(history[i].number, static_cast<std::int64_t>(i) + 1);
      EXPECT_EQ(side.before, rating);
      EXPECT_EQ(side.k, elo::FactorK(side.before));
      EXPECT_EQ(side.after.milli_points,
                side.before.milli_points + elo::Change(side.k, side.score, side.expected));
      rating = side.after;
      folded.wins += side.score == elo::kWin;
      folded.losses += side.score == elo::kLoss;
      folded.draws += side.score == elo::kDraw;
    }
    const Standing standing = StandingOf(id);
    EXPECT_EQ(standing.rating, rating);
    EXPECT_EQ(standing.wins, folded.wins);
    EXPECT_EQ(standing.losses, folded.losses);
    EXPECT_EQ(standing.draws, folded.draws);
  }

  // Gives `id` an established rating near `points` by games against a fresh opponent.
  void Establish(const std::string& id, int wins, int losses) {
    for (int i = 0; i < wins + losses; ++i) {
      const std::string opponent = id + "-opponent" + std::to_string(i);
      const elo::Score score = i < wins ? elo::kWin : elo::kLoss;
      ASSERT_TRUE(Apply(Game(id + "-game" + std::to_string(i), id, opponent, score)));
    }
  }

  SystemTimeSource time_;
  std::unique_ptr<sql::testing::Backend> backend_;
  std::unique_ptr<RatingStore> store_;
};

}  // namespace komadai::rating
