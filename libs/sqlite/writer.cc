#include "libs/sqlite/writer.h"

#include <exception>
#include <string>

#include "libs/sql/errors.h"

namespace komadai::sqlite {
namespace {

class SqliteTransaction final : public sql::Transaction {
 public:
  explicit SqliteTransaction(Connection& connection) : connection_(connection) {}

 protected:
  Result<sql::Rows> DoExecute(std::string_view statement, const sql::Params& params) override {
    return connection_.Execute(statement, params);
  }
  Status DoExecuteScript(std::string_view script) override {
    return connection_.ExecuteScript(script);
  }

 private:
  Connection& connection_;
};

Status Statement(Connection& connection, std::string_view statement) {
  Result<sql::Rows> done = connection.Execute(statement, {});
  if (!done) return std::move(done).error();
  return Status();
}

void RollBack(Connection& connection) {
  if (connection.InAutocommit()) return;
  // Fails only where SQLite has rolled back by itself already.
  (void)Statement(connection, "ROLLBACK").has_value();
}

// Runs one job inside the open transaction and undoes exactly that job if it fails.
Status RunInSavepoint(Connection& connection, const sql::Work& work) {
  if (Status begun = Statement(connection, "SAVEPOINT job"); !begun) return begun;
  Status status = RunWork(connection, work);
  if (connection.InAutocommit()) return status;  // the whole transaction is gone
  if (!status) {
    if (Status undone = Statement(connection, "ROLLBACK TO job"); !undone) {
      RollBack(connection);
      return undone;
    }
  }
  if (Status released = Statement(connection, "RELEASE job"); !released) {
    RollBack(connection);
    return released;
  }
  return status;
}

// Failing the not yet failed jobs of a batch that cannot be committed.
void FailAll(std::vector<Outcome>& outcomes, const std::vector<bool>& finished, const Error& why) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (!finished[i]) outcomes[i].status = why;
  }
}

}  // namespace

Status RunWork(Connection& connection, const sql::Work& work) {
  SqliteTransaction transaction(connection);
  Status status;
  try {
    status = work(transaction);
  } catch (const std::exception& problem) {
    status = Error(kInternal, std::string("a transaction threw: ") + problem.what());
  }
  if (status && transaction.failure()) return *transaction.failure();
  return status;
}

std::vector<Outcome> RunBatch(Connection& connection, const TimeSource& time,
                              const std::vector<Job>& jobs) {
  std::vector<Outcome> outcomes(jobs.size());
  std::vector<bool> finished(jobs.size(), false);  // failed for good: not run again
  for (bool again = true; again;) {
    again = false;
    if (Status begun = Statement(connection, "BEGIN IMMEDIATE"); !begun) {
      FailAll(outcomes, finished, begun.error());
      return outcomes;
    }
    for (std::size_t i = 0; i < jobs.size() && !again; ++i) {
      if (finished[i]) continue;
      Outcome& outcome = outcomes[i];
      if (time.Now() >= jobs[i].deadline) {
        outcome.status = Error(kDeadlinePassed, "the deadline passed before the transaction");
      } else {
        ++outcome.attempts;
        outcome.status = RunInSavepoint(connection, jobs[i].work);
      }
      finished[i] = !outcome.status;
      again = connection.InAutocommit();
      if (again && outcome.status) {
        outcome.status = Error(sql::kStoreUnavailable, "the transaction was given up");
        finished[i] = true;
      }
    }
    if (again) continue;
    if (Status committed = Statement(connection, "COMMIT"); !committed) {
      RollBack(connection);
      // A full disk refuses the transaction before it is in the log. After any other failure of a
      // write or sync it is unknown what a restart will find there.
      const bool refused = connection.IsFull();
      FailAll(
          outcomes, finished,
          refused ? committed.error() : Error(sql::kCommitInDoubt, committed.error().message()));
    }
  }
  return outcomes;
}

}  // namespace komadai::sqlite
