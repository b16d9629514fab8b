// MemoryLiveStore: the LiveStore of unit tests and simulations. Nothing survives the object.
//
// Deterministic: every Task completes before it is first suspended, on the caller's thread, and
// handlers run inside the Commit that caused them. Wrap it in a FaultyLiveStore for failures and
// delays.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/time.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/subscription_hub.h"

namespace komadai::livestore {

class MemoryLiveStore final : public LiveStore {
 public:
  // `time` decides when documents with a time to live vanish; must outlive the store.
  explicit MemoryLiveStore(const TimeSource& time) : time_(time) {}

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
  struct StoredDocument {
    Version version = kAbsent;
    Sequence last_sequence = 0;
    std::string body;
    std::deque<std::string> events;  // the last of them is event number last_sequence
    std::map<std::string, std::int64_t> scores;
    std::optional<TimePoint> expires_at;
  };
  struct Partition {
    std::map<std::string, StoredDocument> documents;
    std::map<std::string, std::set<std::pair<std::int64_t, std::string>>> indexes;
  };

  Result<CommitOutcome> CommitLocked(const Transaction& transaction) KOMADAI_REQUIRES(mutex_);
  void ExpireLocked() KOMADAI_REQUIRES(mutex_);
  const StoredDocument* FindLocked(const std::string& partition, const std::string& name) const
      KOMADAI_REQUIRES(mutex_);
  static Status CheckExpiry(const Transaction& transaction, const Partition& partition);
  Committed ApplyLocked(const std::string& partition_name, Partition& partition,
                        const Change& change, Version version) KOMADAI_REQUIRES(mutex_);
  static void ApplyIndexes(Partition& partition, const std::string& name, StoredDocument& document,
                           const std::vector<IndexChange>& changes);
  static void Erase(Partition& partition, const std::string& name);
  static std::vector<Event> EventsAfter(const StoredDocument& document, Sequence after,
                                        std::int64_t limit);

  const TimeSource& time_;
  Mutex mutex_;
  std::map<std::string, Partition> partitions_ KOMADAI_GUARDED_BY(mutex_);
  Version last_version_ KOMADAI_GUARDED_BY(mutex_) = 0;
  // What will expire, by instant; entries may be out of date.
  std::multimap<TimePoint, std::pair<std::string, std::string>> expiries_
      KOMADAI_GUARDED_BY(mutex_);
  std::shared_ptr<SubscriptionHub> hub_ =
      std::make_shared<SubscriptionHub>(SubscriptionHub::Liveness::kAlways);
};

}  // namespace komadai::livestore
