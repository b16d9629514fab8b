// sql::Database: one port for SQL stores, so that a store is written once for PostgreSQL and
// SQLite.
//
//   Task<Result<Player>> FindPlayer(PlayerId id, TimePoint deadline) {
//     co_return co_await sql::Transact(database_, sql::Access::kRead, deadline,
//         [id](sql::Transaction& tx) -> Result<Player> { ... tx.Execute("... $1", {id}) ... });
//   }
//
// The common subset of SQL that stores keep to:
// - types BIGINT, DOUBLE PRECISION, TEXT, BYTEA; booleans are BIGINT 0/1, instants are BIGINT Unix
//   milliseconds given as parameters (no now()), JSON is TEXT, identifiers are made by the caller;
// - parameters $1, $2, ...; each given one is used. Where the place of a parameter does not fix its
//   type (SELECT $1, $1 + 1), say CAST($1 AS BIGINT);
// - INSERT ... ON CONFLICT ... DO NOTHING | DO UPDATE SET x = excluded.x, RETURNING, row values in
//   comparisons ((a, b) < ($1, $2)), LIMIT, CTEs, window functions, partial and expression indexes;
// - text is compared by code point: columns that are sorted or compared by < say COLLATE "C";
// - not LIKE (its case rules differ): store a folded column and compare ranges;
// - columns are named, never SELECT *: replicas of two versions share one schema in a rolling
//   restart.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/errors.h"
#include "libs/sql/value.h"

namespace komadai::sql {

enum class Access {
  kRead,    // one consistent snapshot; statements that write are refused
  kWrite,   // serializable
  kSchema,  // for migrations: one at a time over all processes that share the database
};

// One attempt of a transaction. Lives only inside the Work it is given to; one thread at a time.
// After a statement failed, the transaction fails: later statements are refused and nothing is
// committed, also if the Work then returns success (PostgreSQL's rule, applied everywhere).
class Transaction {
 public:
  virtual ~Transaction() = default;

  // Runs one statement.
  Result<Rows> Execute(std::string_view statement, const Params& params = {});
  // Runs several statements separated by semicolons, without parameters or rows.
  Status ExecuteScript(std::string_view script);

  // The first failure of a statement, if any.
  const std::optional<Error>& failure() const { return failure_; }

 protected:
  virtual Result<Rows> DoExecute(std::string_view statement, const Params& params) = 0;
  virtual Status DoExecuteScript(std::string_view script) = 0;

 private:
  std::optional<Error> failure_;
};

// What happens inside one transaction: SQL and computation only, no waiting for anything else. It
// may run several times (after a serialization failure or a lost connection), so it has no other
// effects and overwrites what it hands out. An error it returns rolls the transaction back.
using Work = std::function<Status(Transaction&)>;
using Done = std::function<void(Status)>;

// Thread-safe. `done` is called exactly once: after the commit, or with why there was none. It runs
// on a thread of the database (or inside Run when the queue is full) and must not block.
// Errors beside those of `work`: the reasons in errors.h, DEADLINE_PASSED, OVERLOADED.
class Database {
 public:
  virtual ~Database() = default;
  virtual void Run(Access access, TimePoint deadline, Work work, Done done) = 0;
};

// What one Run came to, for metrics; `reason` is empty after success.
struct RunReport {
  Access access = Access::kRead;
  std::string_view reason;
  Millis queued{};
  Millis ran{};
  int attempts = 0;
};
using Observer = std::function<void(const RunReport&)>;

// Runs `work`, a callable (Transaction&) -> Result<T>, in one transaction and gives its value after
// the commit. `database` must outlive the Task.
template <typename Fn, typename R = std::invoke_result_t<Fn&, Transaction&>>
Task<R> Transact(Database& database, Access access, TimePoint deadline, Fn work) {
  auto outcome = std::make_shared<std::optional<R>>();
  Work run = [outcome, work = std::move(work)](Transaction& tx) mutable -> Status {
    outcome->emplace(work(tx));
    if (!**outcome) return (*outcome)->error();
    return Status();
  };
  Status status = co_await FromCallback<Status>(
      [&](auto done) { database.Run(access, deadline, std::move(run), std::move(done)); });
  if (!status) co_return std::move(status).error();
  co_return std::move(**outcome);
}

// Whether the database answers.
Task<Status> Ping(Database& database, TimePoint deadline);

}  // namespace komadai::sql
