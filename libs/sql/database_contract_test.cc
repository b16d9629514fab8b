// What stores may expect of every sql::Database.

#include <gtest/gtest.h>

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "libs/base/sync_wait.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sql/migrations.h"
#include "libs/sql/testing/backends.h"

namespace komadai::sql {
namespace {

class DatabaseContract : public ::testing::TestWithParam<testing::BackendCase> {
 protected:
  void SetUp() override {
    backend_ = GetParam().make();
    database_ = backend_->Open();
  }

  // Runs one transaction to its end.
  template <typename Fn>
  auto Do(Access access, Fn work) -> std::invoke_result_t<Fn&, Transaction&> {
    return SyncWait(Transact(*database_, access, Soon(), std::move(work)));
  }
  Status Script(const std::string& script) {
    return Do(Access::kSchema, [&](Transaction& tx) { return tx.ExecuteScript(script); });
  }
  // The rows of one statement in a transaction of its own.
  Result<Rows> Query(const std::string& statement, const Params& params = {}) {
    return Do(Access::kWrite, [&](Transaction& tx) { return tx.Execute(statement, params); });
  }
  TimePoint Soon() const { return time_.Now() + Millis(30000); }

  SystemTimeSource time_;
  std::unique_ptr<testing::Backend> backend_;
  std::unique_ptr<Database> database_;
};

INSTANTIATE_TEST_SUITE_P(Backends, DatabaseContract, ::testing::ValuesIn(testing::AllBackends()),
                         testing::BackendName);

TEST_P(DatabaseContract, ValuesOfEveryTypeComeBackUnchanged) {
  ASSERT_TRUE(
      Script("CREATE TABLE t (k BIGINT PRIMARY KEY, i BIGINT, d DOUBLE PRECISION, "
             "s TEXT, b BYTEA)"));
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte += static_cast<char>(byte);
  const std::vector<Params> cases = {
      {1, std::numeric_limits<std::int64_t>::min(), 0.1, "駒台 😀 ' \" \\ $1 %", Bytes{every_byte}},
      {2, std::numeric_limits<std::int64_t>::max(), -1e300, "", Bytes{""}},
      {3, nullptr, nullptr, nullptr, nullptr},
      {4, 0, 5e-324, std::string(100000, 'x'), Bytes{std::string(100000, '\0')}},
      {5, -1, 1200.0, "007", Bytes{"\\x41"}},
  };
  for (const Params& values : cases) {
    ASSERT_TRUE(Query("INSERT INTO t (k, i, d, s, b) VALUES ($1, $2, $3, $4, $5)", values));
  }
  const Result<Rows> rows = Query("SELECT k, i, d, s, b FROM t ORDER BY k");
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Row& row = (*rows)[i];
    EXPECT_EQ(row[1], cases[i][1]);
    if (!row.IsNull(2)) {
      EXPECT_EQ(row.Double(2), *cases[i][2].as_double());
    }
    EXPECT_EQ(row[3], cases[i][3]);
    EXPECT_EQ(row[4], cases[i][4]);
  }
}

TEST_P(DatabaseContract, TheCommonSubsetWorks) {
  ASSERT_TRUE(
      Script("CREATE TABLE t (k TEXT COLLATE \"C\" PRIMARY KEY, n BIGINT NOT NULL); "
             "CREATE INDEX t_by_n ON t (n DESC, k) WHERE n > 0;"));
  const Result<Rows> inserted = Query(
      "INSERT INTO t (k, n) VALUES ($1, $2), ($3, $4), ($5, $6) "
      "ON CONFLICT (k) DO NOTHING RETURNING k",
      {"b", 2, "B", 3, "ä", 4});
  ASSERT_TRUE(inserted);
  EXPECT_EQ(inserted->size(), 3u);
  const Result<Rows> upserted = Query(
      "INSERT INTO t (k, n) VALUES ($1, $2) ON CONFLICT (k) DO UPDATE SET n = t.n + excluded.n "
      "RETURNING n",
      {"b", 40});
  ASSERT_TRUE(upserted);
  EXPECT_EQ((*upserted)[0].Int(0), 42);
  const Result<Rows> none =
      Query("INSERT INTO t (k, n) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING n", {"b", 1});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  // By code point: B < b < ä. Row values, LIMIT, aggregates, computed and boolean columns.
  const Result<Rows> ordered = Query(
      "SELECT k, k = $1, CAST($2 AS BIGINT) + 1, SUM(n) OVER () FROM t "
      "WHERE (k, n) > ($3, $4) ORDER BY k LIMIT $5",
      {"b", 6, "B", 0, 2});
  ASSERT_TRUE(ordered) << ordered.error().ToString();
  ASSERT_EQ(ordered->size(), 2u);
  EXPECT_EQ((*ordered)[0].Text(0), "B");
  EXPECT_EQ((*ordered)[1].Text(0), "b");
  EXPECT_EQ((*ordered)[1].Int(1), 1);
  EXPECT_EQ((*ordered)[0].Int(2), 7);
  EXPECT_EQ((*ordered)[0].Int(3), 49);
  const Result<Rows> updated = Query("UPDATE t SET n = 0 WHERE n < $1", {40});
  ASSERT_TRUE(updated);
  EXPECT_EQ(updated->affected(), 2);
  EXPECT_EQ(Query("DELETE FROM t WHERE n = 0")->affected(), 2);
}

TEST_P(DatabaseContract, ParametersMayComeInAnyOrderAndRepeatedly) {
  const Result<Rows> rows =
      Query("SELECT CAST($2 AS TEXT), CAST($1 AS BIGINT), CAST($2 AS TEXT)", {1, "two"});
  ASSERT_TRUE(rows) << rows.error().ToString();
  EXPECT_EQ((*rows)[0].Text(0), "two");
  EXPECT_EQ((*rows)[0].Int(1), 1);
  EXPECT_EQ((*rows)[0].Text(2), "two");
}

TEST_P(DatabaseContract, AWrongNumberOfParametersIsRefused) {
  EXPECT_FALSE(Query("SELECT CAST($1 AS BIGINT)", {}));
  EXPECT_FALSE(Query("SELECT CAST($1 AS BIGINT)", {1, 2}));
  EXPECT_TRUE(Query("SELECT CAST($1 AS BIGINT)", {1}));
}

TEST_P(DatabaseContract, ConstraintsFailWithTheirReason) {
  ASSERT_TRUE(
      Script("CREATE TABLE p (k BIGINT PRIMARY KEY CHECK (k < 10), v TEXT NOT NULL UNIQUE);"
             "CREATE TABLE c (p BIGINT NOT NULL REFERENCES p (k))"));
  ASSERT_TRUE(Query("INSERT INTO p (k, v) VALUES (1, 'a')"));
  EXPECT_TRUE(Query("INSERT INTO p (k, v) VALUES (1, 'b')").error().Is(kUniqueViolation));
  EXPECT_TRUE(Query("INSERT INTO p (k, v) VALUES (2, 'a')").error().Is(kUniqueViolation));
  EXPECT_TRUE(Query("INSERT INTO p (k, v) VALUES (11, 'b')").error().Is(kCheckViolation));
  EXPECT_TRUE(
      Query("INSERT INTO p (k, v) VALUES (2, $1)", {nullptr}).error().Is(kNotNullViolation));
  EXPECT_TRUE(Query("INSERT INTO c (p) VALUES (7)").error().Is(kForeignKeyViolation));
  EXPECT_TRUE(Query("SELECT nonsense").error().Is(kStatementRejected));
  EXPECT_TRUE(Query("INSERT INTO p (k, v) VALUES (3, $1)", {"\xFF"}).error().Is(kInvalidValue));
  EXPECT_EQ(Query("SELECT k FROM p")->size(), 1u);
}

TEST_P(DatabaseContract, AnErrorOfTheWorkRollsEverythingBack) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  constexpr Reason kRefused{Code::kFailedPrecondition, "REFUSED"};
  const Status status = Do(Access::kWrite, [&](Transaction& tx) -> Status {
    if (Result<Rows> inserted = tx.Execute("INSERT INTO t (k) VALUES (1)"); !inserted) {
      return inserted.error();
    }
    return Error(kRefused, "no");
  });
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().Is(kRefused));
  EXPECT_TRUE(Query("SELECT k FROM t")->empty());
}

TEST_P(DatabaseContract, AFailedStatementDoomsItsTransaction) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  const Status status = Do(Access::kWrite, [](Transaction& tx) -> Status {
    EXPECT_TRUE(tx.Execute("INSERT INTO t (k) VALUES (1)"));
    EXPECT_FALSE(tx.Execute("INSERT INTO t (k) VALUES (1)"));
    EXPECT_FALSE(tx.Execute("INSERT INTO t (k) VALUES (2)"));
    return Status();
  });
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().Is(kUniqueViolation));
  EXPECT_TRUE(Query("SELECT k FROM t")->empty());
}

TEST_P(DatabaseContract, AnExceptionInTheWorkIsAnInternalError) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  const Status status = Do(Access::kWrite, [](Transaction& tx) -> Status {
    EXPECT_TRUE(tx.Execute("INSERT INTO t (k) VALUES (1)"));
    throw std::runtime_error("out of luck");
  });
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), Code::kInternal);
  EXPECT_TRUE(Query("SELECT k FROM t")->empty());
}

TEST_P(DatabaseContract, ReadingTransactionsCannotWrite) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  const Result<Rows> rows =
      Do(Access::kRead, [](Transaction& tx) { return tx.Execute("INSERT INTO t (k) VALUES (1)"); });
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().Is(kStatementRejected));
  EXPECT_TRUE(Query("SELECT k FROM t")->empty());
}

TEST_P(DatabaseContract, AnAcknowledgedWriteIsSeenByTheNextRead) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  for (int i = 0; i < 50; ++i) {
    ASSERT_TRUE(Query("INSERT INTO t (k) VALUES ($1)", {i}));
    const Result<Rows> rows =
        Do(Access::kRead, [](Transaction& tx) { return tx.Execute("SELECT COUNT(*) FROM t"); });
    ASSERT_TRUE(rows);
    EXPECT_EQ((*rows)[0].Int(0), i + 1);
  }
}

TEST_P(DatabaseContract, AReadSeesOneSnapshot) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY, n BIGINT NOT NULL)"));
  ASSERT_TRUE(Query("INSERT INTO t (k, n) VALUES (1, 0)"));
  const std::unique_ptr<Database> other = backend_->Open();
  const Status status = Do(Access::kRead, [&](Transaction& tx) -> Status {
    EXPECT_EQ((*tx.Execute("SELECT n FROM t"))[0].Int(0), 0);
    const Result<Rows> updated =
        SyncWait(Transact(*other, Access::kWrite, Soon(),
                          [](Transaction& inner) { return inner.Execute("UPDATE t SET n = 1"); }));
    EXPECT_TRUE(updated);
    EXPECT_EQ((*tx.Execute("SELECT n FROM t"))[0].Int(0), 0);
    return Status();
  });
  EXPECT_TRUE(status);
  EXPECT_EQ((*Query("SELECT n FROM t"))[0].Int(0), 1);
}

// Read, compute, write, from many threads over two replicas: no increment may be lost.
TEST_P(DatabaseContract, ConcurrentIncrementsLoseNoUpdate) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY, n BIGINT NOT NULL)"));
  ASSERT_TRUE(Query("INSERT INTO t (k, n) VALUES (1, 0)"));
  const std::unique_ptr<Database> other = backend_->Open();
  constexpr int kThreads = 8;
  constexpr int kRounds = 25;
  std::vector<std::thread> threads;
  std::atomic<int> committed{0};
  for (int t = 0; t < kThreads; ++t) {
    Database& database = t % 2 == 0 ? *database_ : *other;
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto increment = [](Transaction& tx) -> Result<Rows> {
          const Result<Rows> rows = tx.Execute("SELECT n FROM t WHERE k = 1");
          if (!rows) return rows.error();
          return tx.Execute("UPDATE t SET n = $1 WHERE k = 1", {(*rows)[0].Int(0) + 1});
        };
        const Result<Rows> done = SyncWait(Transact(database, Access::kWrite, Soon(), increment));
        if (done) ++committed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(committed.load(), kThreads * kRounds);
  EXPECT_EQ((*Query("SELECT n FROM t"))[0].Int(0), kThreads * kRounds);
}

// Two transactions that pick the same next number collide at the constraint. Backends repeat a few
// such runs by themselves; a transaction whose error reaches the caller has changed nothing.
TEST_P(DatabaseContract, ConcurrentlyNumberedRowsGetDifferentNumbers) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY)"));
  const std::unique_ptr<Database> other = backend_->Open();
  constexpr int kThreads = 4;
  constexpr int kRounds = 10;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    Database& database = t % 2 == 0 ? *database_ : *other;
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const auto append = [](Transaction& tx) -> Result<Rows> {
          const Result<Rows> rows = tx.Execute("SELECT COUNT(*) FROM t");
          if (!rows) return rows.error();
          return tx.Execute("INSERT INTO t (k) VALUES ($1)", {(*rows)[0].Int(0) + 1});
        };
        Result<Rows> done = SyncWait(Transact(database, Access::kWrite, Soon(), append));
        while (!done && done.error().Is(kUniqueViolation)) {
          done = SyncWait(Transact(database, Access::kWrite, Soon(), append));
        }
        EXPECT_TRUE(done) << done.error().ToString();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ((*Query("SELECT MAX(k) FROM t"))[0].Int(0), kThreads * kRounds);
}

// Two transactions that each read what the other writes (write skew): one order must explain both.
TEST_P(DatabaseContract, WriteSkewIsImpossible) {
  ASSERT_TRUE(Script("CREATE TABLE t (k BIGINT PRIMARY KEY, n BIGINT NOT NULL)"));
  const std::unique_ptr<Database> other = backend_->Open();
  for (int round = 0; round < 30; ++round) {
    ASSERT_TRUE(Query("DELETE FROM t"));
    ASSERT_TRUE(Query("INSERT INTO t (k, n) VALUES (1, 1), (2, 1)"));
    // Each takes its row down to 0 only while the sum stays above 0.
    const auto take = [&](Database& database, int key) {
      const auto work = [key](Transaction& tx) -> Result<Rows> {
        const Result<Rows> sum = tx.Execute("SELECT SUM(n) FROM t");
        if (!sum) return sum.error();
        if ((*sum)[0].Int(0) < 2) return Rows();
        return tx.Execute("UPDATE t SET n = 0 WHERE k = $1", {key});
      };
      EXPECT_TRUE(SyncWait(Transact(database, Access::kWrite, Soon(), work)));
    };
    std::thread first([&] { take(*database_, 1); });
    std::thread second([&] { take(*other, 2); });
    first.join();
    second.join();
    ASSERT_EQ((*Query("SELECT SUM(n) FROM t"))[0].Int(0), 1);
  }
}

TEST_P(DatabaseContract, APassedDeadlineRunsNothing) {
  bool ran = false;
  const Status status = SyncWait(
      Transact(*database_, Access::kWrite, time_.Now() - Millis(1), [&](Transaction&) -> Status {
        ran = true;
        return Status();
      }));
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().Is(kDeadlinePassed));
  EXPECT_FALSE(ran);
}

TEST_P(DatabaseContract, ALongQueryEndsAtItsDeadline) {
  const Result<Rows> rows =
      SyncWait(Transact(*database_, Access::kRead, time_.Now() + Millis(200), [](Transaction& tx) {
        return tx.Execute(
            "WITH RECURSIVE n(i) AS (SELECT CAST(1 AS BIGINT) UNION ALL SELECT i + 1 FROM n "
            "WHERE i < 1000000000) SELECT COUNT(*) FROM n");
      }));
  ASSERT_FALSE(rows);
  EXPECT_TRUE(rows.error().Is(kDeadlinePassed)) << rows.error().ToString();
  EXPECT_TRUE(Query("SELECT 1"));
}

TEST_P(DatabaseContract, ManyReplicasMayMigrateAtOnce) {
  const std::vector<Migration> first = {{1, "init", "CREATE TABLE a (k BIGINT PRIMARY KEY)"}};
  std::vector<Migration> second = first;
  second.push_back({2, "more", "CREATE TABLE b (k BIGINT); INSERT INTO b (k) VALUES (1);"});
  std::vector<std::unique_ptr<Database>> replicas;
  for (int i = 0; i < 4; ++i) replicas.push_back(backend_->Open());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < replicas.size(); ++i) {
    threads.emplace_back([&, i] {
      const Status status =
          SyncWait(Migrate(*replicas[i], "t", i % 2 == 0 ? first : second, time_.Now(), Soon()));
      EXPECT_TRUE(status) << status.error().ToString();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Query("SELECT k FROM b")->size(), 1u);
  EXPECT_EQ(Query("SELECT version FROM schema_migrations WHERE component = 't'")->size(), 2u);
  // The older version starts on the newer schema.
  EXPECT_TRUE(SyncWait(Migrate(*database_, "t", first, time_.Now(), Soon())));
}

TEST_P(DatabaseContract, AFailedMigrationLeavesNothing) {
  const std::vector<Migration> broken = {
      {1, "init", "CREATE TABLE a (k BIGINT); CREATE TABLE nonsense nonsense"}};
  EXPECT_FALSE(SyncWait(Migrate(*database_, "t", broken, time_.Now(), Soon())));
  const std::vector<Migration> fixed = {{1, "init", "CREATE TABLE a (k BIGINT)"}};
  EXPECT_TRUE(SyncWait(Migrate(*database_, "t", fixed, time_.Now(), Soon())));
}

TEST_P(DatabaseContract, AnEditedMigrationIsNoticed) {
  const std::vector<Migration> original = {{1, "init", "CREATE TABLE a (k BIGINT)"}};
  ASSERT_TRUE(SyncWait(Migrate(*database_, "t", original, time_.Now(), Soon())));
  const std::vector<Migration> edited = {{1, "init", "CREATE TABLE a (k TEXT)"}};
  const Status status = SyncWait(Migrate(*database_, "t", edited, time_.Now(), Soon()));
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().Is(kMigrationChanged));
}

TEST_P(DatabaseContract, PingAnswers) { EXPECT_TRUE(SyncWait(Ping(*database_, Soon()))); }

}  // namespace
}  // namespace komadai::sql
