// How postgres::Database behaves while its server misbehaves. What it promises otherwise is
// libs/sql/database_contract_test.cc.
#include "libs/postgres/database.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/testing/temp_postgres.h"

namespace komadai::postgres {
namespace {

using komadai::testing::TempPostgres;
using sql::Access;
using sql::Rows;
using sql::Transaction;

class PostgresDatabaseTest : public ::testing::Test {
 protected:
  // One server for all tests, restarted after those that kill it; a database for each.
  static void SetUpTestSuite() {
    Result<std::unique_ptr<TempPostgres>> server = TempPostgres::Start();
    ASSERT_TRUE(server) << server.error().ToString();
    server_ = *std::move(server);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override {
    if (!server_->Running()) {
      ASSERT_TRUE(server_->Restart());
    }
    static int count = 0;
    const Result<std::string> url = server_->CreateDatabase("test" + std::to_string(++count));
    ASSERT_TRUE(url) << url.error().ToString();
    url_ = *url;
    Options options;
    options.url = url_;
    database_ = Open(std::move(options));
    ASSERT_TRUE(Write("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  }

  std::unique_ptr<Database> Open(Options options) {
    Result<std::unique_ptr<Database>> database = Database::Open(std::move(options), time_, random_);
    EXPECT_TRUE(database);
    return *std::move(database);
  }

  Result<Rows> Write(std::string statement, sql::Params params = {}) {
    return SyncWait(sql::Transact(*database_, Access::kWrite, In(Millis(20000)),
                                  [=](Transaction& tx) { return tx.Execute(statement, params); }));
  }
  std::size_t RowCount() { return Write("SELECT k FROM t")->size(); }
  TimePoint In(Millis time) const { return time_.Now() + time; }

  // Through another pool, so that the one under test knows nothing of it.
  Status RunElsewhere(const std::string& script) {
    Options options;
    options.url = url_;
    options.connections = 1;
    const std::unique_ptr<Database> other = Open(std::move(options));
    return SyncWait(sql::Transact(*other, Access::kWrite, In(Millis(20000)),
                                  [&](Transaction& tx) { return tx.ExecuteScript(script); }));
  }

  // As a caller with an idempotent operation does while the server restarts.
  Result<Rows> WriteUntilAvailable(const std::string& statement, const sql::Params& params) {
    const TimePoint give_up = In(Millis(60000));
    Result<Rows> rows = Write(statement, params);
    while (!rows && rows.error().code() == Code::kUnavailable && time_.Now() < give_up) {
      rows = Write(statement, params);
    }
    return rows;
  }

  // Opens every connection of the pool, by as many transactions that wait for each other.
  void UseAllConnections(int count) {
    std::atomic<int> inside{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) {
      threads.emplace_back([&] {
        EXPECT_TRUE(SyncWait(
            sql::Transact(*database_, Access::kRead, In(Millis(20000)), [&](Transaction& tx) {
              ++inside;
              while (inside < count) std::this_thread::yield();
              return tx.Execute("SELECT k FROM t");
            })));
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

  SystemTimeSource time_;
  SeededRandom random_{11};
  static inline std::unique_ptr<TempPostgres> server_;
  std::string url_;
  std::unique_ptr<Database> database_;
};

TEST_F(PostgresDatabaseTest, SessionsEndedByTheServerAreReplacedWithoutAnError) {
  UseAllConnections(4);
  for (int round = 0; round < 5; ++round) {
    ASSERT_TRUE(server_->Command(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
        "'komadai'"));
    for (int i = 0; i < 8; ++i) {
      const Result<Rows> rows = Write("INSERT INTO t (k) VALUES ($1)", {round * 8 + i});
      ASSERT_TRUE(rows) << rows.error().ToString();
    }
  }
  EXPECT_EQ(RowCount(), 40u);
}

TEST_F(PostgresDatabaseTest, ASessionThatDiesInTheMiddleRunsItsTransactionAgain) {
  int runs = 0;
  const Result<Rows> rows = SyncWait(sql::Transact(
      *database_, Access::kWrite, In(Millis(20000)), [&](Transaction& tx) -> Result<Rows> {
        ++runs;
        if (Result<Rows> first = tx.Execute("INSERT INTO t (k) VALUES (1)"); !first) return first;
        if (runs == 1) {
          EXPECT_TRUE(server_->Command(
              "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = "
              "'komadai'"));
        }
        return tx.Execute("INSERT INTO t (k) VALUES (2)");
      }));
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(RowCount(), 2u);
}

TEST_F(PostgresDatabaseTest, AKilledServerIsUnavailableAndHealsAfterItsRestart) {
  UseAllConnections(4);
  server_->Kill();
  const Result<Rows> down = Write("INSERT INTO t (k) VALUES (1)");
  ASSERT_FALSE(down);
  EXPECT_TRUE(down.error().Is(sql::kStoreUnavailable)) << down.error().ToString();
  EXPECT_FALSE(SyncWait(sql::Ping(*database_, In(Millis(1000)))));
  ASSERT_TRUE(server_->Restart());
  const Result<Rows> up = WriteUntilAvailable("INSERT INTO t (k) VALUES ($1)", {1});
  EXPECT_TRUE(up) << up.error().ToString();
  EXPECT_EQ(RowCount(), 1u);
}

TEST_F(PostgresDatabaseTest, ACommitThatGotNoAnswerIsInDoubt) {
  const Status status = SyncWait(
      sql::Transact(*database_, Access::kWrite, In(Millis(20000)), [&](Transaction& tx) -> Status {
        if (Result<Rows> rows = tx.Execute("INSERT INTO t (k) VALUES (1)"); !rows) {
          return rows.error();
        }
        server_->Kill();
        return Status();
      }));
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().Is(sql::kCommitInDoubt)) << status.error().ToString();
  EXPECT_EQ(status.error().code(), Code::kUnavailable);
}

TEST_F(PostgresDatabaseTest, AReadThatWasCompleteDoesNotDependOnItsCommit) {
  const Result<Rows> rows =
      SyncWait(sql::Transact(*database_, Access::kRead, In(Millis(20000)), [&](Transaction& tx) {
        Result<Rows> read = tx.Execute("SELECT 1");
        server_->Kill();
        return read;
      }));
  EXPECT_TRUE(rows);
}

TEST_F(PostgresDatabaseTest, AStatementThatTakesTooLongEndsAtTheDeadline) {
  const Result<Rows> rows =
      SyncWait(sql::Transact(*database_, Access::kWrite, In(Millis(200)),
                             [](Transaction& tx) { return tx.Execute("SELECT pg_sleep(60)"); }));
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().Is(kDeadlinePassed)) << rows.error().ToString();
}

TEST_F(PostgresDatabaseTest, ASilentServerIsCutOffAfterTheDeadline) {
  std::atomic<pid_t> stopped{0};
  const Result<Rows> rows = SyncWait(sql::Transact(
      *database_, Access::kWrite, In(Millis(300)), [&](Transaction& tx) -> Result<Rows> {
        const Result<Rows> pid = tx.Execute("SELECT pg_backend_pid()");
        if (!pid) return pid.error();
        stopped = static_cast<pid_t>((*pid)[0].Int(0));
        ::kill(stopped, SIGSTOP);
        return tx.Execute("SELECT 1");
      }));
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().Is(kDeadlinePassed)) << rows.error().ToString();
  ::kill(stopped, SIGKILL);  // the server restarts its other sessions after this
  EXPECT_TRUE(WriteUntilAvailable("INSERT INTO t (k) VALUES ($1)", {1}));
}

TEST_F(PostgresDatabaseTest, AFullQueueRefusesAtOnce) {
  Options options;
  options.url = url_;
  options.connections = 1;
  options.queue_limit = 2;
  database_ = Open(std::move(options));
  std::promise<void> release;
  std::shared_future<void> released = release.get_future().share();
  std::promise<void> started;
  std::atomic<int> completed{0};
  const auto count = [&](Status) { ++completed; };
  database_->Run(
      Access::kRead, In(Millis(20000)),
      [&](Transaction&) -> Status {
        started.set_value();
        released.wait();
        return Status();
      },
      count);
  started.get_future().wait();
  const auto nothing = [](Transaction&) { return Status(); };
  database_->Run(Access::kRead, In(Millis(20000)), nothing, count);
  database_->Run(Access::kRead, In(Millis(20000)), nothing, count);
  EXPECT_EQ(database_->queue_depth(), 2u);
  std::optional<Status> refused;
  database_->Run(Access::kRead, In(Millis(20000)), nothing,
                 [&](Status status) { refused = std::move(status); });
  ASSERT_TRUE(refused);
  EXPECT_TRUE(refused->error().Is(kOverloaded));
  release.set_value();
  database_.reset();  // finishes what was accepted
  EXPECT_EQ(completed.load(), 3);
}

TEST_F(PostgresDatabaseTest, ASchemaChangedUnderAPreparedStatementHeals) {
  EXPECT_TRUE(Write("SELECT k FROM t"));
  ASSERT_TRUE(RunElsewhere("ALTER TABLE t ALTER COLUMN k TYPE INTEGER"));
  const Result<Rows> rows = Write("SELECT k FROM t");
  EXPECT_TRUE(rows) << rows.error().ToString();
}

// As behind a pooler that gives each transaction of a connection to another server.
TEST_F(PostgresDatabaseTest, StatementsThatAreSuddenlyUnknownHealAndNeverMeanOthers) {
  Options options;
  options.url = url_;
  options.connections = 1;
  database_ = Open(std::move(options));
  ASSERT_TRUE(Write("INSERT INTO t (k) VALUES (1)"));
  EXPECT_EQ(RowCount(), 1u);
  ASSERT_TRUE(
      SyncWait(sql::Transact(*database_, Access::kWrite, In(Millis(20000)), [](Transaction& tx) {
        return tx.ExecuteScript(
            "DEALLOCATE ALL; PREPARE s0 AS SELECT 7; "
            "PREPARE s1 AS SELECT 7");
      })));
  EXPECT_EQ(RowCount(), 1u);
  EXPECT_TRUE(Write("INSERT INTO t (k) VALUES (2)"));
  EXPECT_EQ(RowCount(), 2u);
}

TEST_F(PostgresDatabaseTest, AttemptsAndOutcomesAreReported) {
  std::vector<std::string> reasons;
  Options options;
  options.url = url_;
  options.connections = 1;
  options.observer = [&](const sql::RunReport& report) {
    reasons.emplace_back(report.reason);
    EXPECT_GE(report.attempts, 1);
  };
  database_ = Open(std::move(options));
  EXPECT_TRUE(Write("INSERT INTO t (k) VALUES (1)"));
  EXPECT_FALSE(Write("INSERT INTO t (k) VALUES (1)"));
  database_.reset();
  EXPECT_EQ(reasons, (std::vector<std::string>{"", "UNIQUE_VIOLATION"}));
}

TEST_F(PostgresDatabaseTest, ThePasswordIsInNoError) {
  Options options;
  options.url = "postgresql://taro:s3cret@/nowhere?host=/nonexistent/s3cret";
  database_ = Open(std::move(options));
  EXPECT_EQ(database_->description().find(":s3cret"), std::string::npos);
  const Status status = SyncWait(sql::Ping(*database_, In(Millis(5000))));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().ToString().find("s3cret"), std::string::npos);
}

}  // namespace
}  // namespace komadai::postgres
