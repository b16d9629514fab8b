#include "libs/livestore/sqlite_live_store.h"

#include <atomic>

#include "libs/livestore/contract/store_contract.h"
#include "libs/sqlite/database.h"
#include "libs/testing/temp_dir.h"

namespace komadai::livestore {
namespace {

class ManualTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_); }
  void Advance(Millis duration) { now_ += duration.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

class SqliteBackend final : public Backend {
 public:
  SqliteBackend() { Open(); }
  LiveStore& store() override { return *store_; }
  void PassTime(Millis duration) override { time_.Advance(duration); }

  void Open() {
    store_.reset();
    database_.reset();
    sqlite::Options options;
    options.path = dir_.File("live.db");
    database_ = *sqlite::Database::Open(std::move(options), time_);
    store_ = *SyncWait(SqliteLiveStore::Open(*database_, time_));
  }

 private:
  testing::TempDir dir_;
  ManualTime time_;
  std::unique_ptr<sqlite::Database> database_;
  std::unique_ptr<SqliteLiveStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, ::testing::Values([] {
                           return std::unique_ptr<Backend>(std::make_unique<SqliteBackend>());
                         }));

TEST(SqliteLiveStoreTest, DocumentsJournalsAndIndexesSurviveAReopening) {
  SqliteBackend backend;
  Change change{.name = "d",
                .put_body = "body",
                .events = std::vector<std::string>{"a", "b"},
                .indexes = {{"i", 7}}};
  const auto made = SyncWait(backend.store().Commit(One(change)));
  ASSERT_TRUE(made && made->committed());
  backend.Open();
  const auto loaded = SyncWait(backend.store().LoadWithJournal("p", "d", 0, 10));
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->document.version, made->documents[0].version);
  EXPECT_EQ((*loaded)->document.body, "body");
  EXPECT_EQ((*loaded)->events.size(), 2u);
  EXPECT_EQ(*SyncWait(backend.store().CountIndex("p", "i", 7, 7)), 1);
}

TEST(SqliteLiveStoreTest, AVersionDeletedBeforeARestartDoesNotComeBack) {
  SqliteBackend backend;
  const auto made = SyncWait(backend.store().Commit(One({.name = "d", .put_body = ""})));
  const Version version = made->documents[0].version;
  Change gone{.name = "d", .expected_version = version, .delete_document = true};
  ASSERT_TRUE(SyncWait(backend.store().Commit(One(gone)))->committed());
  backend.PassTime(Millis(1));
  backend.Open();
  const auto again = SyncWait(backend.store().Commit(One({.name = "d", .put_body = ""})));
  EXPECT_GT(again->documents[0].version, version);
}

}  // namespace
}  // namespace komadai::livestore
