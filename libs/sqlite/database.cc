#include "libs/sqlite/database.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "libs/sqlite/connection.h"
#include "libs/sqlite/job_queue.h"
#include "libs/sqlite/writer.h"

namespace komadai::sqlite {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Completion {
  sql::Done done;
  Status status;
};

Millis Between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration_cast<Millis>(to - from);
}

}  // namespace

class Database::Impl {
 public:
  Impl(Options options, const TimeSource& time, std::unique_ptr<Connection> writer,
       std::unique_ptr<Connection> reader)
      : options_(std::move(options)),
        time_(time),
        writer_(std::move(writer)),
        reader_(std::move(reader)),
        completion_thread_([this] { CompletionLoop(); }),
        write_thread_([this] { WriteLoop(); }),
        read_thread_([this] { ReadLoop(); }) {}

  ~Impl() {
    writes_.Close();
    reads_.Close();
    write_thread_.join();
    read_thread_.join();
    completions_.Close();
    completion_thread_.join();
  }

  void Run(Job job) {
    if (depth_.fetch_add(1) >= options_.queue_limit) {
      depth_.fetch_sub(1);
      job.done(Error(kOverloaded, "the database has too much to do"));
      return;
    }
    JobQueue<Job>& queue = job.access == sql::Access::kRead ? reads_ : writes_;
    sql::Done done = job.done;
    if (!queue.Push(std::move(job))) {
      depth_.fetch_sub(1);
      done(Error(kUnavailable, "the database is closing"));
    }
  }

  std::size_t depth() const { return depth_.load(); }

 private:
  void WriteLoop() {
    for (;;) {
      std::vector<Job> jobs = writes_.Take(options_.batch_limit);
      if (jobs.empty()) return;
      const auto started = SteadyClock::now();
      std::vector<Outcome> outcomes = RunBatch(*writer_, time_, jobs);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        Complete(std::move(jobs[i]), std::move(outcomes[i]), started);
      }
    }
  }

  void ReadLoop() {
    for (;;) {
      std::vector<Job> jobs = reads_.Take(1);
      if (jobs.empty()) return;
      const auto started = SteadyClock::now();
      Outcome outcome = Read(jobs.front());
      Complete(std::move(jobs.front()), std::move(outcome), started);
    }
  }

  Outcome Read(const Job& job) {
    if (time_.Now() >= job.deadline) {
      return {Error(kDeadlinePassed, "the deadline passed before the query"), 0};
    }
    Result<sql::Rows> begun = reader_->Execute("BEGIN", {});
    if (!begun) return {std::move(begun).error(), 1};
    reader_->SetDeadline(time_, job.deadline);
    Outcome outcome{RunWork(*reader_, job.work), 1};
    reader_->ClearDeadline();
    if (!reader_->InAutocommit()) (void)reader_->Execute("ROLLBACK", {}).has_value();
    return outcome;
  }

  void Complete(Job job, Outcome outcome, SteadyClock::time_point started) {
    if (options_.observer) {
      sql::RunReport report;
      report.access = job.access;
      if (!outcome.status) report.reason = outcome.status.error().reason();
      report.queued = Between(job.queued_at, started);
      report.ran = Between(started, SteadyClock::now());
      report.attempts = outcome.attempts;
      options_.observer(report);
    }
    completions_.Push({std::move(job.done), std::move(outcome.status)});
  }

  void CompletionLoop() {
    for (;;) {
      std::vector<Completion> completions = completions_.Take(options_.queue_limit);
      if (completions.empty()) return;
      for (Completion& completion : completions) {
        depth_.fetch_sub(1);
        completion.done(std::move(completion.status));
      }
    }
  }

  const Options options_;
  const TimeSource& time_;
  std::unique_ptr<Connection> writer_;
  std::unique_ptr<Connection> reader_;
  JobQueue<Job> writes_;
  JobQueue<Job> reads_;
  JobQueue<Completion> completions_;
  std::atomic<std::size_t> depth_{0};
  // Last: the threads use everything above.
  std::thread completion_thread_;
  std::thread write_thread_;
  std::thread read_thread_;
};

Result<std::unique_ptr<Database>> Database::Open(Options options, const TimeSource& time) {
  // The writer first: it creates the file and its write-ahead log.
  Result<std::unique_ptr<Connection>> writer =
      Connection::Open(options.path, Connection::Mode::kReadWrite, options.busy_timeout);
  if (!writer) return std::move(writer).error();
  Result<std::unique_ptr<Connection>> reader =
      Connection::Open(options.path, Connection::Mode::kReadOnly, options.busy_timeout);
  if (!reader) return std::move(reader).error();
  auto impl =
      std::make_unique<Impl>(std::move(options), time, *std::move(writer), *std::move(reader));
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

void Database::Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) {
  impl_->Run({access, deadline, std::move(work), std::move(done), SteadyClock::now()});
}

std::size_t Database::queue_depth() const { return impl_->depth(); }

}  // namespace komadai::sqlite
