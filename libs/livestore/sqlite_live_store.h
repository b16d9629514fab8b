// SqliteLiveStore: the LiveStore of the embedded default, in a SQLite file. Durable: a commit is
// acknowledged after the fsync it shares with its neighbours.
//
// Subscriptions work inside the process, so there is one instance per file, which everything that
// meets in it shares. Tasks resume and handlers run on the database's completion thread.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "libs/base/time.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/subscription_hub.h"
#include "libs/sql/database.h"

namespace komadai::livestore {

struct CommitAttempt;

class SqliteLiveStore final : public LiveStore {
 public:
  // Creates or migrates the tables live_*. `database` (a sqlite::Database: the statements are its
  // dialect) and `time` must outlive the store; `time` is the one the database was opened with.
  static Task<Result<std::unique_ptr<SqliteLiveStore>>> Open(sql::Database& database,
                                                             const TimeSource& time);

  Task<Result<CommitOutcome>> Commit(Transaction transaction) override;
  Task<Result<std::optional<Document>>> Load(std::string partition, std::string name) override;
  Task<Result<std::vector<std::optional<Document>>>> LoadMany(
      std::string partition, std::vector<std::string> names) override;
  Task<Result<std::optional<DocumentWithJournal>>> LoadWithJournal(std::string partition,
                                                                   std::string name,
                                                                   Sequence after_sequence,
                                                                   std::int64_t limit) override;
  Task<Result<JournalPage>> ReadJournal(std::string partition, std::string name,
                                        Sequence after_sequence, std::int64_t limit) override;
  Task<Result<std::vector<IndexEntry>>> ReadIndex(IndexQuery query) override;
  Task<Result<std::int64_t>> CountIndex(std::string partition, std::string index,
                                        std::int64_t min_score, std::int64_t max_score) override;
  std::unique_ptr<Subscription> Subscribe(std::string partition, std::string name,
                                          NotificationHandler handler) override;
  std::unique_ptr<Subscription> SubscribeChannel(std::string channel,
                                                 NotificationHandler handler) override;
  Task<Status> Ping() override;

 private:
  SqliteLiveStore(sql::Database& database, const TimeSource& time, Version first_version)
      : database_(database), time_(time), last_version_(first_version) {}

  TimePoint Deadline() const;
  void RunAndPublish(sql::Work work, std::shared_ptr<CommitAttempt> attempt, sql::Done done);
  template <typename Fn>
  auto Read(Fn work);

  sql::Database& database_;
  const TimeSource& time_;
  // One for all documents. Begins at the time of opening in microseconds, and so never gives a
  // version that was given before a restart.
  std::atomic<Version> last_version_;
  const std::shared_ptr<SubscriptionHub> hub_ =
      std::make_shared<SubscriptionHub>(SubscriptionHub::Liveness::kAlways);
};

}  // namespace komadai::livestore
