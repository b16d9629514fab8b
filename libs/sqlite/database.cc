#include "libs/sqlite/database.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "libs/sql/errors.h"
#include "libs/sqlite/connection.h"
#include "libs/sqlite/job_queue.h"
#include "libs/sqlite/writer.h"

namespace komadai::sqlite {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct Completion {
  sql::Done done;
  Status status;
  bool background;
};

Millis Between(SteadyClock::time_point from, SteadyClock::time_point to) {
  return std::chrono::duration_cast<Millis>(to - from);
}

}  // namespace

class Database::Impl {
 public:
  // `readers`: the first one is not for the background.
  Impl(Options options, const TimeSource& time, std::unique_ptr<Connection> writer,
       std::vector<std::unique_ptr<Connection>> readers)
      : options_(std::move(options)),
        time_(time),
        background_(*this),
        writer_(std::move(writer)),
        readers_(std::move(readers)),
        completion_thread_([this] { CompletionLoop(); }),
        write_thread_([this] { WriteLoop(); }) {
    for (const auto& reader : readers_) {
      JobQueue<Job>& jobs = reader == readers_.front() ? reads_ : background_reads_;
      read_threads_.emplace_back(
          [this, &jobs, connection = reader.get()] { ReadLoop(jobs, *connection); });
    }
  }

  ~Impl() {
    writes_.Close();
    reads_.Close();
    background_reads_.Close();
    write_thread_.join();
    for (std::thread& thread : read_threads_) thread.join();
    completions_.Close();
    completion_thread_.join();
  }

  void Run(Job job) {
    std::atomic<std::size_t>& depth = job.background ? background_depth_ : depth_;
    if (depth.fetch_add(1) >=
        (job.background ? options_.background_queue_limit : options_.queue_limit)) {
      depth.fetch_sub(1);
      job.done(Error(kOverloaded, "the database has too much to do"));
      return;
    }
    const bool background = job.background;
    JobQueue<Job>& queue = job.access != sql::Access::kRead ? writes_
                           : background                     ? background_reads_
                                                            : reads_;
    sql::Done done = job.done;
    if (!queue.Push(std::move(job), background && &queue == &writes_)) {
      depth.fetch_sub(1);
      done(Error(kUnavailable, "the database is closing"));
    }
  }

  std::size_t depth() const { return depth_.load() + background_depth_.load(); }
  sql::Database& background() { return background_; }

 private:
  class InBackground final : public sql::Database {
   public:
    explicit InBackground(Impl& impl) : impl_(impl) {}
    void Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) override {
      impl_.Run({access, deadline, std::move(work), std::move(done), SteadyClock::now(),
                 /*background=*/true});
    }

   private:
    Impl& impl_;
  };

  void WriteLoop() {
    for (;;) {
      std::vector<Job> jobs = writes_.Take(options_.batch_limit, options_.background_batch_limit);
      if (jobs.empty()) return;
      const auto started = SteadyClock::now();
      std::vector<Outcome> outcomes = RunBatch(*writer_, time_, jobs);
      for (std::size_t i = 0; i < jobs.size(); ++i) {
        Complete(std::move(jobs[i]), std::move(outcomes[i]), started);
      }
    }
  }

  void ReadLoop(JobQueue<Job>& queue, Connection& reader) {
    for (;;) {
      std::vector<Job> jobs = queue.Take(1);
      if (jobs.empty()) return;
      const auto started = SteadyClock::now();
      Outcome outcome = Read(reader, jobs.front());
      Complete(std::move(jobs.front()), std::move(outcome), started);
    }
  }

  Outcome Read(Connection& reader, const Job& job) {
    if (time_.Now() >= job.deadline) {
      return {Error(kDeadlinePassed, "the deadline passed before the query"), 0};
    }
    Result<sql::Rows> begun = reader.Execute("BEGIN", {});
    if (!begun) return {std::move(begun).error(), 1};
    reader.SetDeadline(time_, job.deadline);
    Outcome outcome{RunWork(reader, job.work), 1};
    reader.ClearDeadline();
    if (!reader.InAutocommit()) (void)reader.Execute("ROLLBACK", {}).has_value();
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
    completions_.Push({std::move(job.done), std::move(outcome.status), job.background});
  }

  void CompletionLoop() {
    for (;;) {
      std::vector<Completion> completions = completions_.Take(options_.queue_limit);
      if (completions.empty()) return;
      for (Completion& completion : completions) {
        (completion.background ? background_depth_ : depth_).fetch_sub(1);
        completion.done(std::move(completion.status));
      }
    }
  }

  const Options options_;
  const TimeSource& time_;
  InBackground background_;
  std::unique_ptr<Connection> writer_;
  std::vector<std::unique_ptr<Connection>> readers_;
  JobQueue<Job> writes_;
  JobQueue<Job> reads_;
  JobQueue<Job> background_reads_;
  JobQueue<Completion> completions_;
  std::atomic<std::size_t> depth_{0};
  std::atomic<std::size_t> background_depth_{0};
  // Last: the threads use everything above.
  std::thread completion_thread_;
  std::thread write_thread_;
  std::vector<std::thread> read_threads_;
};

Result<std::unique_ptr<Database>> Database::Open(Options options, const TimeSource& time) {
  // The writer first: it creates the file and its write-ahead log.
  Result<std::unique_ptr<Connection>> writer =
      Connection::Open(options.path, Connection::Mode::kReadWrite, options.busy_timeout);
  if (!writer) return std::move(writer).error();
  if (Status sound = (*writer)->CheckForDamage(time, options.damage_check); !sound) {
    return Error(sql::kStoreUnavailable, options.path + ": " + sound.error().message());
  }
  std::vector<std::unique_ptr<Connection>> readers;
  for (int i = 0; i < 1 + options.background_readers; ++i) {
    Result<std::unique_ptr<Connection>> reader =
        Connection::Open(options.path, Connection::Mode::kReadOnly, options.busy_timeout);
    if (!reader) return std::move(reader).error();
    readers.push_back(*std::move(reader));
  }
  auto impl =
      std::make_unique<Impl>(std::move(options), time, *std::move(writer), std::move(readers));
  return std::unique_ptr<Database>(new Database(std::move(impl)));
}

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;

void Database::Run(sql::Access access, TimePoint deadline, sql::Work work, sql::Done done) {
  impl_->Run({access, deadline, std::move(work), std::move(done), SteadyClock::now()});
}

sql::Database& Database::Background() { return impl_->background(); }

std::size_t Database::queue_depth() const { return impl_->depth(); }

}  // namespace komadai::sqlite
