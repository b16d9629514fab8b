// FaultyLiveStore: a LiveStore that fails and dawdles as a test says. For tests and simulations.
//
// One of these stands for the connection of ONE simulated process to a store that several of them
// share. `plan` is asked before every operation; `schedule` decides when an operation takes effect
// and when its answer arrives, so that a simulation can interleave processes as it likes. To crash
// a process, let the plan answer kUnavailable from then on: its coroutines end by themselves.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/livestore/live_store.h"

namespace komadai::livestore {

enum class Fault : std::uint8_t {
  kNone,
  kUnavailable,     // fails, and nothing happened
  kOverloaded,      // fails, and nothing happened
  kInDoubtNotDone,  // a commit fails with kInDoubt and did not happen (a read: kUnavailable)
  kInDoubtDone,     // a commit fails with kInDoubt and did happen (a read: kUnavailable)
  kConflict,        // a commit reports a conflict although there is none; nothing happened
};

struct Operation {
  enum class Kind : std::uint8_t { kCommit, kRead, kPing };
  Kind kind = Kind::kRead;
  const Transaction* transaction = nullptr;  // of a commit, during the call
};

class FaultyLiveStore final : public LiveStore {
 public:
  using Plan = std::function<Fault(const Operation&)>;
  // Runs the step some time, once, on any one thread. The default runs it at once.
  using Schedule = std::function<void(std::function<void()> step)>;

  // `inner` must outlive this and all its Tasks.
  explicit FaultyLiveStore(LiveStore& inner, Plan plan = {}, Schedule schedule = {})
      : inner_(inner), plan_(std::move(plan)), schedule_(std::move(schedule)) {}

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
  // Subscriptions are those of the inner store, without faults.
  std::unique_ptr<Subscription> Subscribe(std::string partition, std::string name,
                                          NotificationHandler handler) override;
  std::unique_ptr<Subscription> SubscribeChannel(std::string channel,
                                                 NotificationHandler handler) override;
  Task<Status> Ping() override;

 private:
  Fault Ask(Operation::Kind kind, const Transaction* transaction = nullptr) const;
  Task<void> Step() const;
  template <typename T>
  Task<Result<T>> Read(Task<Result<T>> read);

  LiveStore& inner_;
  const Plan plan_;
  const Schedule schedule_;
};

}  // namespace komadai::livestore
