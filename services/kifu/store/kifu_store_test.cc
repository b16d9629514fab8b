// What the archive promises, on every database it runs on.
#include "services/kifu/store/kifu_store.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/sql/testing/backends.h"
#include "services/kifu/errors.h"

namespace komadai::kifu {
namespace {

constexpr TimePoint kNow = TimePoint(Millis(1'700'000'000'000));

Entry Game(int number) {
  Entry entry;
  entry.kifu_id = "kifu" + std::to_string(number);
  entry.game_id = "game" + std::to_string(number);
  entry.first_id = "ann";
  entry.second_id = number % 2 == 0 ? "bob" : "eve";
  entry.first_name = "Ann";
  entry.second_name = number % 2 == 0 ? "Bob" : "\xE5\xB0\x86\xE6\xA3\x8B";
  entry.outcome = 1 + number % 3;
  entry.ending = 3;
  entry.plies = 2;
  entry.rated = number % 2 == 0;
  entry.ended_at = kNow + Millis(number * 1000);
  entry.stored_at = kNow;
  entry.record = std::string("record\0", 7) + std::to_string(number);
  entry.visits = {{-42, 0, "7g7f"}, {number, 1, "3c3d"}, {-42, 2, ""}};
  return entry;
}

class KifuStoreTest : public ::testing::TestWithParam<sql::testing::BackendCase> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    store_ = NewStore();
  }
  std::unique_ptr<KifuStore> NewStore() {
    return std::make_unique<KifuStore>(std::shared_ptr<sql::Database>(backend_->Open()), time_);
  }
  TimePoint Soon() const { return time_.Now() + Millis(60'000); }
  Status Put(std::vector<Entry> entries) {
    return SyncWait(store_->Put(std::move(entries), Soon()));
  }
  Page Search(const Query& query, std::optional<Cursor> after = std::nullopt, int limit = 100) {
    Result<Page> page = SyncWait(store_->Search(query, std::move(after), limit, Soon()));
    EXPECT_TRUE(page) << page.error().ToString();
    return page ? *std::move(page) : Page();
  }

  SystemTimeSource time_;
  std::unique_ptr<sql::testing::Backend> backend_;
  std::unique_ptr<KifuStore> store_;
};

TEST_P(KifuStoreTest, AStoredGameComesBackByEitherId) {
  ASSERT_TRUE(Put({Game(1)}));
  for (const Key& key : {Key{"kifu1", ""}, Key{"", "game1"}}) {
    const Result<Entry> found = SyncWait(store_->Get(key, Soon()));
    ASSERT_TRUE(found) << found.error().ToString();
    EXPECT_EQ(found->record, Game(1).record);
    EXPECT_EQ(found->second_name, Game(1).second_name);
    EXPECT_EQ(found->ended_at, Game(1).ended_at);
    EXPECT_FALSE(found->rated);
  }
  const Result<Entry> missing = SyncWait(store_->Get({"nothing", ""}, Soon()));
  ASSERT_FALSE(missing);
  EXPECT_TRUE(missing.error().Is(kKifuNotFound));
}

TEST_P(KifuStoreTest, StoringAgainIsTheSameAndStoringOtherwiseIsRefused) {
  ASSERT_TRUE(Put({Game(1)}));
  EXPECT_TRUE(Put({Game(1)}));
  Entry other = Game(1);
  other.record = "other";
  const Status refused = Put({other});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kStoredDifferently));
  EXPECT_EQ(Search({}).entries.size(), 1u);
}

TEST_P(KifuStoreTest, AllOfABatchOrNothing) {
  ASSERT_TRUE(Put({Game(1)}));
  Entry clash = Game(1);
  clash.record = "other";
  EXPECT_FALSE(Put({Game(2), clash}));
  EXPECT_EQ(Search({}).entries.size(), 1u);
}

TEST_P(KifuStoreTest, ManyReplicasStoreAGameOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> failures = 0;
  for (int i = 0; i < 6; ++i) {
    threads.emplace_back([&] {
      const std::unique_ptr<KifuStore> own = NewStore();
      std::vector<Entry> entries{Game(7)};
      if (!SyncWait(own->Put(std::move(entries), Soon()))) ++failures;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures, 0);
  EXPECT_EQ(Search({}).entries.size(), 1u);
  const Result<Exploration> found =
      SyncWait(store_->Explore(rules::Variant::kShogi, 7, ExploredGames::kAll, Soon()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->games, 1);
}

TEST_P(KifuStoreTest, PagesAreNewestFirstWithoutGapOrRepeat) {
  std::vector<Entry> entries;
  for (int i = 0; i < 25; ++i) entries.push_back(Game(i));
  entries[10].ended_at = entries[11].ended_at;  // a tie
  ASSERT_TRUE(Put(entries));
  std::vector<std::string> seen;
  std::optional<Cursor> after;
  for (;;) {
    const Page page = Search({}, after, 4);
    for (const Entry& entry : page.entries) seen.push_back(entry.kifu_id);
    if (!page.more) break;
    after = Cursor{page.entries.back().ended_at, page.entries.back().kifu_id};
  }
  ASSERT_EQ(seen.size(), 25u);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 25u);
  EXPECT_EQ(seen.front(), "kifu24");
  EXPECT_EQ(seen.back(), "kifu0");
}

TEST_P(KifuStoreTest, ConditionsHoldTogether) {
  std::vector<Entry> entries;
  for (int i = 0; i < 12; ++i) entries.push_back(Game(i));
  ASSERT_TRUE(Put(entries));
  Query query;
  query.player_id = "eve";
  EXPECT_EQ(Search(query).entries.size(), 6u);
  query.outcome = 1;
  EXPECT_EQ(Search(query).entries.size(), 2u);  // 3 and 9
  query = {};
  query.name_prefix = FoldName("BO");
  EXPECT_EQ(Search(query).entries.size(), 6u);
  query.name_prefix = "\xE5\xB0\x86";
  EXPECT_EQ(Search(query).entries.size(), 6u);
  query = {};
  query.rated_only = true;
  query.from = kNow + Millis(4000);
  query.until = kNow + Millis(8000);
  EXPECT_EQ(Search(query).entries.size(), 2u);  // 4 and 6
  query = {};
  query.variant = rules::Variant::kShogi;
  query.position_key = 5;
  EXPECT_EQ(Search(query).entries.size(), 1u);
  query.variant = rules::Variant::kXiangqi;
  EXPECT_EQ(Search(query).entries.size(), 0u);
}

TEST_P(KifuStoreTest, ExploringCountsGamesByTheMovePlayed) {
  std::vector<Entry> entries;
  for (int i = 0; i < 9; ++i) entries.push_back(Game(i));
  entries[0].visits[0].move = "2g2f";
  ASSERT_TRUE(Put(entries));
  const Result<Exploration> found =
      SyncWait(store_->Explore(rules::Variant::kShogi, -42, ExploredGames::kAll, Soon()));
  ASSERT_TRUE(found) << found.error().ToString();
  EXPECT_EQ(found->games, 9);
  ASSERT_EQ(found->moves.size(), 2u);  // the end of a game is no move
  EXPECT_EQ(found->moves[0].move, "7g7f");
  EXPECT_EQ(found->moves[0].games, 8);
  EXPECT_EQ(found->moves[0].first_wins, 2);  // 3 and 6
  EXPECT_EQ(found->moves[0].second_wins, 3);
  EXPECT_EQ(found->moves[0].draws, 3);
  EXPECT_EQ(found->moves[1].move, "2g2f");
  const Result<Exploration> rated =
      SyncWait(store_->Explore(rules::Variant::kShogi, -42, ExploredGames::kRated, Soon()));
  ASSERT_TRUE(rated);
  EXPECT_EQ(rated->games, 5);
}

INSTANTIATE_TEST_SUITE_P(Backends, KifuStoreTest, ::testing::ValuesIn(sql::testing::AllBackends()),
                         sql::testing::BackendName);

}  // namespace
}  // namespace komadai::kifu
