// What the rating store promises, on every database it runs on.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/random.h"
#include "services/rating/errors.h"
#include "services/rating/testing/rating_stores.h"

namespace komadai::rating {
namespace {

INSTANTIATE_TEST_SUITE_P(Backends, RatingStoreTest,
                         ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

TEST_P(RatingStoreTest, AnswersWhenItsDatabaseDoes) {
  EXPECT_TRUE(SyncWait(store_->Check(Soon())));
}

TEST_P(RatingStoreTest, AGuestHasAProfileUntilForgotten) {
  Player guest = Person("g1");
  guest.kind = PlayerKind::kGuest;
  guest.name = "駒";
  ASSERT_TRUE(SyncWait(store_->AddGuest(guest, Soon())));
  const Result<Profile> profile = SyncWait(store_->LoadProfile("g1", Soon()));
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->player.name, "駒");
  EXPECT_EQ(profile->player.kind, PlayerKind::kGuest);
  EXPECT_EQ(profile->player.created_at, guest.created_at);
  EXPECT_TRUE(profile->ratings.empty());

  EXPECT_EQ(*SyncWait(store_->ForgetGuests(guest.created_at, 10, Soon())), 0);
  EXPECT_EQ(*SyncWait(store_->ForgetGuests(guest.created_at + Millis(1), 10, Soon())), 1);
  EXPECT_TRUE(SyncWait(store_->LoadProfile("g1", Soon())).error().Is(kPlayerNotFound));
}

TEST_P(RatingStoreTest, OnlyOldGuestsAreForgotten) {
  ASSERT_TRUE(Apply(Game("game1", "p1", "p2", elo::kWin)));
  EXPECT_EQ(*SyncWait(store_->ForgetGuests(time_.Now() + Millis(1), 10, Soon())), 0);
  EXPECT_TRUE(SyncWait(store_->LoadProfile("p1", Soon())));
}

TEST_P(RatingStoreTest, TheSameAccountIsTheSamePlayerAlsoWhenSigningInAtOnce) {
  std::set<std::string> ids;
  Mutex mutex;
  std::vector<std::thread> threads;
  const std::unique_ptr<RatingStore> other = NewStore();
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      RatingStore& store = i % 2 == 0 ? *store_ : *other;
      const Result<Player> player =
          SyncWait(store.SignIn("test:taro", Person("p" + std::to_string(i)), Soon()));
      ASSERT_TRUE(player) << player.error().ToString();
      const MutexLock lock(mutex);
      ids.insert(player->id);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ids.size(), 1u);
}

TEST_P(RatingStoreTest, APlayerIsListedUnderTheNameOfTheLastGame) {
  ASSERT_TRUE(Apply(Game("game1", "p1", "p2", elo::kWin)));
  RatedGame renamed = Game("game2", "p1", "p2", elo::kWin);
  renamed.first.name = "Another name";
  ASSERT_TRUE(Apply(renamed));
  EXPECT_EQ(SyncWait(store_->LoadProfile("p1", Soon()))->player.name, "Another name");
  EXPECT_EQ(SyncWait(store_->LoadProfile("p2", Soon()))->player.name, "Name of p2");
  // A repeat of the first game changes nothing.
  ASSERT_TRUE(Apply(Game("game1", "p1", "p2", elo::kWin)));
  EXPECT_EQ(SyncWait(store_->LoadProfile("p1", Soon()))->player.name, "Another name");
}

TEST_P(RatingStoreTest, AWinMovesBothRatingsAndWritesBothHistories) {
  const Result<Applied> applied = Apply(Game("game1", "p1", "p2", elo::kWin));
  ASSERT_TRUE(applied);
  EXPECT_FALSE(applied->repeated);
  EXPECT_EQ(applied->first.side.after.milli_points, 1'216'000);
  EXPECT_EQ(applied->second.side.after.milli_points, 1'184'000);
  EXPECT_EQ(StandingOf("p1").rating.milli_points, 1'216'000);
  EXPECT_EQ(StandingOf("p2").rating.milli_points, 1'184'000);
  EXPECT_EQ(StandingOf("p1", Variant::kXiangqi).rating, elo::kInitialRating);
  EXPECT_EQ(HistoryOf("p1").size(), 1u);
  EXPECT_EQ(HistoryOf("p2").at(0).opponent_id, "p1");
  const Result<Profile> profile = SyncWait(store_->LoadProfile("p1", Soon()));
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->ratings.size(), 1u);
  EXPECT_EQ(profile->ratings[0].standing.wins, 1);
}

TEST_P(RatingStoreTest, ARepeatAnswersAsTheFirstTimeAndChangesNothing) {
  RatedGame game = Game("game1", "p2", "p1", elo::kDraw);
  game.handicap = "2_piece";
  game.handicap_ranks = 3.5;
  const Result<Applied> once = Apply(game);
  const Result<Applied> again = Apply(game);
  ASSERT_TRUE(once && again);
  EXPECT_TRUE(again->repeated);
  EXPECT_EQ(again->first.player_id, "p2");
  EXPECT_EQ(again->first.side.after, once->first.side.after);
  EXPECT_EQ(again->first.side.opponent, once->first.side.opponent);
  EXPECT_EQ(again->second.side.expected, once->second.side.expected);
  EXPECT_EQ(again->second.handicap, "2_piece");
  EXPECT_EQ(again->second.at, game.ended_at);
  EXPECT_EQ(StandingOf("p1").games(), 1);
}

TEST_P(RatingStoreTest, AnotherContentForTheSameGameIsRefused) {
  const RatedGame game = Game("game1", "p1", "p2", elo::kWin);
  ASSERT_TRUE(Apply(game));
  std::vector<RatedGame> others(5, game);
  others[0].first_score = elo::kLoss;
  others[1].second.id = "p3";
  others[2].handicap = "rook";
  others[3].variant = Variant::kMinishogi;
  others[4].ended_at += Millis(1);
  for (const RatedGame& other : others) {
    const Result<Applied> applied = Apply(other);
    ASSERT_FALSE(applied);
    EXPECT_TRUE(applied.error().Is(kGameRatedDifferently));
  }
  EXPECT_EQ(StandingOf("p1").games(), 1);
  EXPECT_EQ(StandingOf("p3").games(), 0);
}

TEST_P(RatingStoreTest, ConcurrentRepeatsOfOneGameCountOnce) {
  const std::unique_ptr<RatingStore> other = NewStore();
  std::vector<std::thread> threads;
  std::atomic<int> first_times{0};
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      RatingStore& store = i % 2 == 0 ? *store_ : *other;
      const Result<Applied> applied =
          SyncWait(store.Apply(Game("game1", "p1", "p2", elo::kWin), Soon()));
      ASSERT_TRUE(applied) << applied.error().ToString();
      if (!applied->repeated) ++first_times;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(first_times.load(), 1);
  EXPECT_EQ(StandingOf("p1").rating.milli_points, 1'216'000);
}

TEST_P(RatingStoreTest, OnePlayerInManyParallelGamesLosesNoUpdate) {
  const std::unique_ptr<RatingStore> other = NewStore();
  constexpr int kThreads = 6;
  constexpr int kGames = 10;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      RatingStore& store = t % 2 == 0 ? *store_ : *other;
      const std::string opponent = "opponent" + std::to_string(t % 3);
      for (int i = 0; i < kGames; ++i) {
        const std::string id = "game" + std::to_string(t) + "-" + std::to_string(i);
        const elo::Score score = i % 3 == 0 ? elo::kWin : i % 3 == 1 ? elo::kDraw : elo::kLoss;
        const Result<Applied> applied = SyncWait(store.Apply(
            t % 2 == 0 ? Game(id, "busy", opponent, score) : Game(id, opponent, "busy", score),
            Soon()));
        ASSERT_TRUE(applied) << applied.error().ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(StandingOf("busy").games(), kThreads * kGames);
  for (const char* id : {"busy", "opponent0", "opponent1", "opponent2"}) {
    ExpectRatingIsFoldOfHistory(id);
  }
}

TEST_P(RatingStoreTest, RandomGamesOfManyPlayersFoldToTheirRatings) {
  SeededRandom random(5);
  const char* ids[] = {"a", "b", "c", "d", "e"};
  for (int i = 0; i < 60; ++i) {
    const std::size_t first = random.Below(5);
    const std::size_t second = (first + 1 + random.Below(4)) % 5;
    const elo::Score scores[] = {elo::kWin, elo::kDraw, elo::kLoss};
    RatedGame game =
        Game("game" + std::to_string(i), ids[first], ids[second], scores[random.Below(3)]);
    if (random.Below(4) == 0) {
      game.handicap = "rook";
      game.handicap_ranks = 2;
    }
    ASSERT_TRUE(Apply(game));
    if (random.Below(3) == 0) {
      ASSERT_TRUE(Apply(game));  // delivered twice
    }
  }
  for (const char* id : ids) ExpectRatingIsFoldOfHistory(id);
}

// A database on which every game meets another one's row, as under many games at once.
class CollidingDatabase final : public sql::Database {
 public:
  explicit CollidingDatabase(std::unique_ptr<sql::Database> real) : real_(std::move(real)) {}
  void Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) override {
    if (access == sql::Access::kWrite) return done(Error(sql::kUniqueViolation, "a row is there"));
    real_->Run(access, deadline, std::move(work), std::move(done));
  }

 private:
  const std::unique_ptr<sql::Database> real_;
};

TEST_P(RatingStoreTest, ACollisionIsNoRefusalOfTheGame) {
  RatingStore store(std::make_shared<CollidingDatabase>(backend_->Open()), time_);
  const Result<Applied> applied =
      SyncWait(store.Apply(Game("game1", "p1", "p2", elo::kWin), Soon()));
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code(), Code::kAborted) << applied.error().ToString();
}

TEST_P(RatingStoreTest, HistoryIsPagedNewestFirst) {
  for (int i = 1; i <= 7; ++i) {
    ASSERT_TRUE(Apply(Game("game" + std::to_string(i), "p1", "p2", elo::kDraw)));
  }
  std::optional<std::int64_t> before;
  std::vector<std::string> seen;
  for (const std::size_t expected : {3u, 3u, 1u}) {
    const Result<HistoryPage> page =
        SyncWait(store_->ListHistory("p1", Variant::kShogi, before, 3, Soon()));
    ASSERT_TRUE(page);
    ASSERT_EQ(page->changes.size(), expected);
    EXPECT_EQ(page->more, expected == 3u);
    for (const RatingChange& change : page->changes) seen.push_back(change.game_id);
    before = page->changes.back().number;
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"game7", "game6", "game5", "game4", "game3", "game2",
                                            "game1"}));
}

TEST_P(RatingStoreTest, TheLeaderboardRanksEstablishedPlayersOnly) {
  Establish("p-high", 12, 6);
  Establish("p-low", 6, 12);
  Establish("p-tied1", 9, 9);
  Establish("p-tied2", 9, 9);
  Establish("p-new", 5, 2);
  Establish("p-unbeaten", 19, 0);
  const LeaderboardPage all = Board(std::nullopt, 10);
  std::vector<std::pair<std::int64_t, std::string>> places;
  for (const LeaderboardEntry& entry : all.entries) {
    places.emplace_back(entry.rank, entry.player.id);
  }
  EXPECT_EQ(places, (std::vector<std::pair<std::int64_t, std::string>>{
                        {1, "p-high"}, {2, "p-tied1"}, {2, "p-tied2"}, {4, "p-low"}}));
  EXPECT_FALSE(all.more);
  EXPECT_FALSE(all.own);

  // Page by page, two at a time: the tie is split and keeps its rank.
  LeaderboardPage page = Board(std::nullopt, 2, "p-low");
  EXPECT_TRUE(page.more);
  ASSERT_TRUE(page.own);
  EXPECT_EQ(page.own->rank, 4);
  const LeaderboardEntry& last = page.entries.back();
  const LeaderboardCursor cursor{last.standing.rating, last.player.id};
  page = Board(cursor, 2, "p-new");
  EXPECT_FALSE(page.more);
  EXPECT_FALSE(page.own);
  ASSERT_EQ(page.entries.size(), 2u);
  EXPECT_EQ(page.entries[0].player.id, "p-tied2");
  EXPECT_EQ(page.entries[0].rank, 2);
  EXPECT_EQ(page.entries[1].rank, 4);
}

TEST_P(RatingStoreTest, NamesThatCannotBeStoredAreRefused) {
  RatedGame game = Game("game1", "p1", "p2", elo::kWin);
  game.second.name = std::string("a\0b", 3);
  const Result<Applied> applied = Apply(game);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().code(), Code::kInvalidArgument);
  EXPECT_EQ(StandingOf("p1").games(), 0);
}

}  // namespace
}  // namespace komadai::rating
