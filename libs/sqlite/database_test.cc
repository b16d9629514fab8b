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
#include "libs/sqlite/job_queue.h"
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

TEST_F(SqliteDatabaseTest, TheBackgroundHasReadersOfItsOwnAndItsWritesComeLast) {
  // All readers of the background are busy.
  std::vector<std::shared_ptr<std::promise<void>>> releases;
  for (int i = 0; i < Options().background_readers; ++i) {
    auto release = std::make_shared<std::promise<void>>();
    auto released = std::make_shared<std::future<void>>(release->get_future());
    database_->Background().Run(
        Access::kRead, Soon(),
        [released](Transaction&) -> Status {
          released->wait();
          return Status();
        },
        [](Status) {});
    releases.push_back(release);
  }
  const auto nothing = [](Transaction&) { return Status(); };
  std::promise<void> read;
  database_->Run(Access::kRead, Soon(), nothing, [&](Status) { read.set_value(); });
  read.get_future().wait();  // hangs if it waits for them
  for (const auto& release : releases) release->set_value();

  const auto release = HoldWriter();
  std::vector<std::string> order;  // of the completion thread
  database_->Background().Run(Access::kWrite, Soon(), nothing,
                              [&](Status) { order.emplace_back("background"); });
  for (int i = 0; i < 3; ++i) {
    database_->Run(Access::kWrite, Soon(), nothing, [&](Status) { order.emplace_back("live"); });
  }
  release->set_value();
  database_.reset();
  EXPECT_EQ(order, (std::vector<std::string>{"live", "live", "live", "background"}));
}

TEST_F(SqliteDatabaseTest, TheBackgroundHasItsOwnQueue) {
  Options options;
  options.path = dir_.File("other.db");
  options.background_queue_limit = 1;
  database_ = Open(std::move(options));
  const auto release = HoldWriter();
  const auto nothing = [](Transaction&) { return Status(); };
  std::optional<Status> refused;
  database_->Background().Run(Access::kWrite, Soon(), nothing, [](Status) {});
  database_->Background().Run(Access::kWrite, Soon(), nothing,
                              [&](Status status) { refused = std::move(status); });
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->error().Is(kOverloaded));
  std::atomic<bool> accepted = false;
  database_->Run(Access::kWrite, Soon(), nothing,
                 [&](Status status) { accepted = status.has_value(); });
  release->set_value();
  database_.reset();
  EXPECT_TRUE(accepted);
}

TEST(JobQueueTest, TheBackgroundIsNotForgottenWhileThereIsAlwaysSomethingElse) {
  JobQueue<int> queue;
  ASSERT_TRUE(queue.Push(-1, /*background=*/true));
  int turns = 0;
  for (;; ++turns) {
    ASSERT_LT(turns, 100);
    ASSERT_TRUE(queue.Push(turns));
    if (queue.Take(10, 1).front() == -1) break;
  }
  EXPECT_GT(turns, 2);
}

TEST_F(SqliteDatabaseTest, ADamagedFileIsRefused) {
  ASSERT_TRUE(Write("CREATE TABLE big (b BYTEA)"));
  ASSERT_TRUE(Write("CREATE INDEX big_index ON big (b)"));
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Write("INSERT INTO big (b) VALUES ($1)",
                      {sql::Bytes{std::string(3000, static_cast<char>(i))}}));
  }
  database_.reset();
  {
    std::fstream file(dir_.File("test.db"), std::ios::in | std::ios::out | std::ios::binary);
    for (int page = 5; page < 60; page += 3) {
      file.seekp(page * 4096);
      file << std::string(4096, '\x7f');
    }
  }
  Options options;
  options.path = dir_.File("test.db");
  const auto database = Database::Open(std::move(options), time_);
  ASSERT_FALSE(database);
  EXPECT_TRUE(database.error().Is(sql::kStoreUnavailable)) << database.error().ToString();
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
