// What sqlite::Database promises beyond libs/sql/database_contract_test.cc: group commit, the file.
#include "libs/sqlite/database.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/testing/temp_dir.h"

namespace komadai::sqlite {
namespace {

using sql::Access;
using sql::Rows;
using sql::Transaction;

class SqliteDatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Options options;
    options.path = dir_.File("test.db");
    database_ = Open(std::move(options));
    ASSERT_TRUE(Write("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  }

  std::unique_ptr<Database> Open(Options options) {
    Result<std::unique_ptr<Database>> database = Database::Open(std::move(options), time_);
    EXPECT_TRUE(database) << database.error().ToString();
    return *std::move(database);
  }
  Result<Rows> Write(std::string statement, sql::Params params = {}) {
    return SyncWait(sql::Transact(*database_, Access::kWrite, Soon(),
                                  [=](Transaction& tx) { return tx.Execute(statement, params); }));
  }
  TimePoint Soon() const { return time_.Now() + Millis(30000); }

  // Holds the writer until the returned promise is set, so that what follows forms one batch.
  std::shared_ptr<std::promise<void>> HoldWriter() {
    auto release = std::make_shared<std::promise<void>>();
    auto started = std::make_shared<std::promise<void>>();
    auto released = std::make_shared<std::future<void>>(release->get_future());
    database_->Run(
        Access::kWrite, Soon(),
        [started, released](Transaction&) -> Status {
          started->set_value();
          released->wait();
          return Status();
        },
        [](Status) {});
    started->get_future().wait();
    return release;
  }

  komadai::testing::TempDir dir_;
  SystemTimeSource time_;
  std::unique_ptr<Database> database_;
};

TEST_F(SqliteDatabaseTest, AFailureInABatchTakesNobodyAlong) {
  const auto release = HoldWriter();
  std::vector<std::future<bool>> outcomes;
  for (const int key : {1, 2, 2, 3}) {
    auto outcome = std::make_shared<std::promise<bool>>();
    outcomes.push_back(outcome->get_future());
    database_->Run(
        Access::kWrite, Soon(),
        [key](Transaction& tx) -> Status {
          const Result<Rows> rows = tx.Execute("INSERT INTO t (k) VALUES ($1)", {key});
          return rows ? Status() : Status(rows.error());
        },
        [outcome](Status status) { outcome->set_value(status.has_value()); });
  }
  release->set_value();
  std::vector<bool> succeeded;
  for (std::future<bool>& outcome : outcomes) succeeded.push_back(outcome.get());
  EXPECT_EQ(succeeded, (std::vector<bool>{true, true, false, true}));
  EXPECT_EQ(Write("SELECT k FROM t")->size(), 3u);
}

TEST_F(SqliteDatabaseTest, CompletionsComeInTheOrderOfTheCommits) {
  const auto release = HoldWriter();
  std::vector<int> order;  // only touched by the completion thread
  std::promise<void> last;
  constexpr int kCount = 1000;
  for (int i = 0; i < kCount; ++i) {
    database_->Run(
        Access::kWrite, Soon(),
        [i](Transaction& tx) -> Status {
          const Result<Rows> rows = tx.Execute("INSERT INTO t (k) VALUES ($1)", {i});
          return rows ? Status() : Status(rows.error());
        },
        [&, i](Status status) {
          EXPECT_TRUE(status);
          order.push_back(i);
          if (i == kCount - 1) last.set_value();
        });
  }
  release->set_value();
  last.get_future().wait();
  ASSERT_EQ(order.size(), static_cast<std::size_t>(kCount));
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(SqliteDatabaseTest, WhatWasAcknowledgedIsThereAfterReopening) {
  ASSERT_TRUE(Write("INSERT INTO t (k) VALUES (1)"));
  database_.reset();
  Options options;
  options.path = dir_.File("test.db");
  database_ = Open(std::move(options));
  EXPECT_EQ(Write("SELECT k FROM t")->size(), 1u);
}

TEST_F(SqliteDatabaseTest, WhatWasAcceptedIsRunBeforeClosing) {
  const auto release = HoldWriter();
  std::atomic<int> completed{0};
  for (int i = 0; i < 10; ++i) {
    database_->Run(
        Access::kWrite, Soon(), [](Transaction&) { return Status(); },
        [&](Status status) { completed += status.has_value() ? 1 : 0; });
  }
  release->set_value();
  database_.reset();
  EXPECT_EQ(completed.load(), 10);
}

TEST_F(SqliteDatabaseTest, AFullQueueRefusesAtOnce) {
  Options options;
  options.path = dir_.File("other.db");
  options.queue_limit = 3;
  database_ = Open(std::move(options));
  const auto release = HoldWriter();
  const auto nothing = [](Transaction&) { return Status(); };
  database_->Run(Access::kWrite, Soon(), nothing, [](Status) {});
  database_->Run(Access::kRead, Soon(), nothing, [](Status) {});
  std::optional<Status> refused;
  for (int i = 0; i < 3 && !refused; ++i) {  // the read may have completed already
    database_->Run(Access::kWrite, Soon(), nothing, [&](Status status) {
      if (!status) refused = std::move(status);
    });
  }
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->error().Is(kOverloaded));
  release->set_value();
  database_.reset();
}

TEST_F(SqliteDatabaseTest, AFileThatIsNoDatabaseIsRefused) {
  std::ofstream(dir_.File("text.db")) << std::string(5000, 'x');
  Options options;
  options.path = dir_.File("text.db");
  const auto database = Database::Open(std::move(options), time_);
  ASSERT_FALSE(database);
  EXPECT_TRUE(database.error().Is(sql::kStoreUnavailable));
  Options missing;
  missing.path = dir_.File("no/such/directory.db");
  EXPECT_FALSE(Database::Open(std::move(missing), time_));
}

TEST_F(SqliteDatabaseTest, AFullDiskFailsItsTransactionAndNoOther) {
  // The page limit of SQLite stands in for the disk: both end a statement with SQLITE_FULL.
  ASSERT_TRUE(Write("CREATE TABLE big (b BYTEA)"));
  ASSERT_TRUE(SyncWait(sql::Transact(*database_, Access::kWrite, Soon(), [](Transaction& tx) {
    return tx.Execute("PRAGMA max_page_count = 50");
  })));
  const auto release = HoldWriter();
  std::promise<Status> small;
  std::promise<Status> large;
  std::promise<Status> after;
  const auto insert = [&](std::size_t size, std::promise<Status>& outcome) {
    database_->Run(
        Access::kWrite, Soon(),
        [size](Transaction& tx) -> Status {
          const Result<Rows> rows =
              tx.Execute("INSERT INTO big (b) VALUES ($1)", {sql::Bytes{std::string(size, 'x')}});
          return rows ? Status() : Status(rows.error());
        },
        [&outcome](Status status) { outcome.set_value(std::move(status)); });
  };
  insert(10, small);
  insert(1000000, large);
  insert(10, after);
  release->set_value();
  EXPECT_TRUE(small.get_future().get());
  const Status full = large.get_future().get();
  ASSERT_FALSE(full);
  EXPECT_TRUE(full.error().Is(sql::kStoreUnavailable)) << full.error().ToString();
  EXPECT_TRUE(after.get_future().get());
  EXPECT_EQ((*Write("SELECT COUNT(*) FROM big"))[0].Int(0), 2);
}

}  // namespace
}  // namespace komadai::sqlite
