// Database: the live store that all simulated processes share, and their connections to it.
//
// libs/livestore/faulty_live_store.h fails on demand; a simulation needs more: a commit that takes
// effect after its process has died or given up (IN_DOUBT), notifications that are late or lost,
// and an outage that hits everybody at once.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "libs/livestore/live_store.h"
#include "libs/livestore/memory_live_store.h"
#include "tests/simulation/process.h"

namespace komadai::simulation {

// One connection's subscription; see Connection::Subscribe.
class Notifications;

class Database {
 public:
  // Told of every commit that took effect, at that instant.
  using Observer = std::function<void(const livestore::Transaction&)>;

  Database(Environment& environment, Observer observer)
      : environment_(environment), observer_(std::move(observer)), memory_(environment.scheduler) {}

  // A commit arrives.
  Result<livestore::CommitOutcome> Commit(livestore::Transaction transaction);
  // For reads, and for whoever looks from outside.
  livestore::MemoryLiveStore& memory() { return memory_; }

  bool away() const { return environment_.scheduler.Now() < back_at_; }
  // Whether anything was ever written there: a sweep over 64 shards of which one is in use would
  // be most of a simulation's work.
  bool InUse(const std::string& partition) const { return in_use_.contains(partition); }
  void Watch(std::weak_ptr<Notifications> notifications);

 private:
  void GoAway(Millis duration);
  bool Forgets(const livestore::Transaction& transaction);  // sabotage

  Environment& environment_;
  const Observer observer_;
  livestore::MemoryLiveStore memory_;
  TimePoint back_at_{};
  std::set<std::string> in_use_;
  std::vector<std::weak_ptr<Notifications>> watching_;
};

// What one process sees of the database.
class Connection final : public livestore::LiveStore {
 public:
  Connection(Database& database, Process& process)
      : database_(database), process_(process), environment_(process.environment()) {}

  Task<Result<livestore::CommitOutcome>> Commit(livestore::Transaction transaction) override;
  Task<Result<std::optional<livestore::Document>>> Load(std::string partition,
                                                        std::string name) override;
  Task<Result<std::vector<std::optional<livestore::Document>>>> LoadMany(
      std::string partition, std::vector<std::string> names) override;
  Task<Result<std::optional<livestore::DocumentWithJournal>>> LoadWithJournal(
      std::string partition, std::string name, livestore::Sequence after_sequence,
      std::int64_t limit) override;
  Task<Result<livestore::JournalPage>> ReadJournal(std::string partition, std::string name,
                                                   livestore::Sequence after_sequence,
                                                   std::int64_t limit) override;
  Task<Result<std::vector<livestore::IndexEntry>>> ReadIndex(livestore::IndexQuery query) override;
  Task<Result<std::int64_t>> CountIndex(std::string partition, std::string index,
                                        std::int64_t min_score, std::int64_t max_score) override;
  std::unique_ptr<livestore::Subscription> Subscribe(
      std::string partition, std::string name, livestore::NotificationHandler handler) override;
  std::unique_ptr<livestore::Subscription> SubscribeChannel(
      std::string channel, livestore::NotificationHandler handler) override;
  Task<Status> Ping() override;

 private:
  // `read` is done when the request arrives.
  template <typename T>
  Task<Result<T>> Read(std::function<Task<Result<T>>(livestore::LiveStore&)> read);
  template <typename Start>
  std::unique_ptr<livestore::Subscription> Listen(livestore::NotificationHandler handler,
                                                  const Start& start);

  Database& database_;
  Process& process_;
  Environment& environment_;
};

}  // namespace komadai::simulation
