#include "libs/postgres/database.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "libs/base/executor.h"
#include "libs/postgres/session_pool.h"

namespace komadai::postgres {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Upper bound of the random pause before the n-th repetition: 2, 4, ..., 64 ms.
constexpr int kPauseDoublingsMax = 6;
// Runs that may be lost to broken connections before the server is called unavailable: one for a
// pooled connection that died while idle, one for a restart in progress.
constexpr int kBrokenMax = 2;
// Repetitions of a transaction that met a unique constraint. Serializable transactions that did not
// read the key first get this error where a serialization failure is meant (PostgreSQL manual,
// "Serialization Failure Handling"): on a new snapshot, the work does something else or fails
// at the constraint again.
constexpr int kUniqueRepetitions = 2;

class PostgresTransaction final : public sql::Transaction {
 public:
  PostgresTransaction(Session& session, const TimeSource& time, TimePoint deadline)
      : session_(session), time_(time), deadline_(deadline) {}

 protected:
  Result<sql::Rows> DoExecute(std::string_view statement, const sql::Params& params) override {
    if (time_.Now() >= deadline_) return Late();
    return session_.Execute(statement, params);
  }
  Status DoExecuteScript(std::string_view script) override {
    if (time_.Now() >= deadline_) return Late();
    return session_.ExecuteScript(script);
  }

 private:
  static Error Late() { return Error(kDeadlinePassed, "the deadline passed in the transaction"); }

  Session& session_;
  const TimeSource& time_;
  const TimePoint deadline_;
};

Status CallWork(const sql::Work& work, sql::Transaction& transaction) {
  Status status;
  try {
    status = work(transaction);
  } catch (const std::exception& problem) {
    return Error(kInternal, std::string("a transaction threw: ") + problem.what());
  }
  // A lost connection or a collision decides about repeating, not what `work` returned.
  if (transaction.failure()) {
    const Error& failure = *transaction.failure();
    const bool repeatable =
        failure.Is(sql::kSerializationFailure) || failure.Is(sql::kStoreUnavailable);
    if (status || repeatable) return failure;
  }
  return status;
}

}  // namespace

class Database::Impl {
 public:
  Impl(Options options, ConnInfo info, const TimeSource& time, Random& random)
      : options_(std::move(options)),
        time_(time),
        random_(random),
        pool_(std::move(info), options_.patience, time),
        executor_("PostgreSQL", options_.connections, options_.queue_limit) {}

  void Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) {
    const auto queued_at = SteadyClock::now();
    const bool accepted = executor_.TryPost([=, this, work = std::move(work)] {
      const auto started = SteadyClock::now();
      int attempts = 0;
      Status status = RunUntilDeadline(access, deadline, work, attempts);
      if (options_.observer) {
        sql::RunReport report;
        report.access = access;
        if (!status) report.reason = status.error().reason();
        report.queued = std::chrono::duration_cast<Millis>(started - queued_at);
        report.ran = std::chrono::duration_cast<Millis>(SteadyClock::now() - started);
        report.attempts = attempts;
        options_.observer(report);
      }
      done(std::move(status));
    });
    if (!accepted) done(Error(kOverloaded, "too many transactions wait for PostgreSQL"));
  }

  std::size_t queue_depth() const { return executor_.QueueDepth(); }
  const std::string& description() const { return pool_.info().description; }

 private:
  Status RunUntilDeadline(sql::Access access, TimePoint deadline, const sql::Work& work,
                          int& attempts) {
    int broken = 0;
    int unique = 0;
    Status status = Error(kDeadlinePassed, "the deadline passed while waiting for a connection");
    while (time_.Now() < deadline) {
      bool session_broke = false;
      ++attempts;
      status = RunOnce(access, deadline, work, session_broke);
      if (status) return status;
      const bool collided =
          status.error().Is(sql::kSerializationFailure) ||
          (status.error().Is(sql::kUniqueViolation) && ++unique <= kUniqueRepetitions);
      if (collided) {
        Pause(attempts);
      } else if (!session_broke || !status.error().Is(sql::kStoreUnavailable) ||
                 ++broken > kBrokenMax) {
        return status;
      }
    }
    if (status.error().Is(sql::kStoreUnavailable)) {
      return Error(kDeadlinePassed, "the deadline passed: " + status.error().message());
    }
    return status;
  }

  // `session_broke` is set if an established connection was lost, so that a new one may do better.
  Status RunOnce(sql::Access access, TimePoint deadline, const sql::Work& work,
                 bool& session_broke) {
    Result<std::unique_ptr<SessionPool::Lease>> lease = pool_.Take(deadline);
    if (!lease) return std::move(lease).error();
    Session& session = (*lease)->session();
    Status status = session.Begin(access, deadline - time_.Now());
    if (status) {
      PostgresTransaction transaction(session, time_, deadline);
      status = CallWork(work, transaction);
    }
    if (!status) {
      session.RollBack();
      session_broke = session.broken();
      return status;
    }
    Status committed = session.Commit();
    if (committed || access == sql::Access::kRead) return Status();  // what was read stays true
    if (!session.broken()) session.RollBack();
    return committed;
  }

  void Pause(int attempts) {
    const int bound = 1 << std::min(attempts, kPauseDoublingsMax);
    const auto pause = Millis(random_.Below(static_cast<std::uint64_t>(bound)) + 1);
    std::this_thread::sleep_for(pause);
  }

  const Options options_;
  const TimeSource& time_;
  Random& random_;
  SessionPool pool_;
  BoundedExecutor executor_;  // last: its threads use everything above
};

Result<std::unique_ptr<Database>> Database::Open(Options options, const TimeSource& time,
                                                 Random& random) {
  Result<ConnInfo> info = ParseConnInfo(options.url, options.connect_timeout);
  if (!info) return std::move(info).error();
  auto impl = std::make_unique<Impl>(std::move(options), *std::move(info), time, random);
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

void Database::Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) {
  impl_->Run(access, deadline, std::move(work), std::move(done));
}

std::size_t Database::queue_depth() const { return impl_->queue_depth(); }
const std::string& Database::description() const { return impl_->description(); }

}  // namespace komadai::postgres
