// EnginePool: all engine processes of the server and the queue in front of them.
//
// Searches wait in a bounded queue, moves of games before analyses, callers in turn. A search whose
// engine dies is tried once more. Thread-safe; callbacks come on the pool's own thread and must not
// block it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"
#include "services/engine/domain/engine_spec.h"
#include "services/engine/domain/fair_queue.h"
#include "services/engine/errors.h"
#include "services/engine/process/engine_worker.h"

namespace komadai::engine {

struct PoolSettings {
  int processes_per_engine = 2;
  // A full queue is a wait of some 32 searches a process at 1 s each: longer than any caller waits.
  std::size_t queue_capacity = 64;
  WorkerSettings worker;
};

struct EngineStatus {
  std::string id;
  std::string name;  // empty until a process has told it
  std::vector<rules::Variant> variants;
  bool available = false;
  std::vector<pid_t> pids;  // of the living processes
};

// What the pool tells the metrics. Called on the pool's thread.
class PoolObserver {
 public:
  virtual ~PoolObserver() = default;
  virtual void OnProcessesChanged(const std::string& engine, int up, int total) = 0;
  virtual void OnDeath(const std::string& engine, const std::string& why) = 0;
  virtual void OnQueueChanged(std::size_t waiting, std::size_t running) = 0;
  virtual void OnSearchEnded(const std::string& engine, rules::Variant variant, Urgency urgency,
                             std::string_view outcome, Millis duration) = 0;
};

class EnginePool {
 public:
  using SearchId = std::uint64_t;

  struct Job {
    std::string engine;  // id; must exist and play the variant
    std::string caller;  // whose turn it is in the queue
    Urgency urgency = Urgency::kUrgent;
    SearchRequest request;
    Millis cap{60'000};  // the longest search allowed
    // When the caller gives up: the search ends in time to answer before it.
    std::optional<EventLoop::Clock::time_point> answer_by;
    // Both optional; `on_line` gets lines as they come, not checked for legality.
    std::function<void(const Line&)> on_line;
    // Exactly once: a result, ENGINE_BUSY, ENGINE_UNAVAILABLE or SEARCH_CANCELLED.
    std::function<void(Result<SearchResult>)> on_done;
  };

  // `observer` may be null and must outlive the pool.
  EnginePool(std::vector<EngineSpec> specs, PoolSettings settings, PoolObserver* observer);
  // Kills the processes; searches still there end with ENGINE_UNAVAILABLE.
  ~EnginePool();
  EnginePool(const EnginePool&) = delete;
  EnginePool& operator=(const EnginePool&) = delete;

  SearchId Search(Job job);
  // on_done comes soon with SEARCH_CANCELLED, unless it is on its way already.
  void Cancel(SearchId id);

  const std::vector<EngineSpec>& specs() const { return specs_; }
  const EngineSpec* FindEngine(const std::string& id) const;
  // The engine with this id, or for an empty id the first that plays the variant; null = none.
  const EngineSpec* Choose(const std::string& id, rules::Variant variant) const;
  std::vector<EngineStatus> Engines() const;

 private:
  struct Waiting {
    SearchId id;
    Job job;
    EventLoop::Clock::time_point since;
    int begun = 0;   // how often a process was given this search
    int deaths = 0;  // how often one died of it
  };
  struct Running {
    SearchId id;
    EngineWorker* worker;
    std::shared_ptr<Waiting> waiting;
    EventLoop::Clock::time_point since;
  };

  // All below on the loop's thread.
  void Admit(Waiting waiting);
  void ScheduleDispatch();
  void Dispatch();
  EngineWorker* FreeWorkerFor(const Job& job);
  bool MayStart(const Waiting& waiting);
  void Begin(EngineWorker& worker, Waiting waiting);
  void End(SearchId id, Result<SearchResult> result);
  void CancelNow(SearchId id);
  void FailHopeless();
  bool Hopeless(const std::string& engine) const;
  void Finish(const Job& job, Result<SearchResult> result, std::string_view outcome, Millis took);
  void PublishStatus();

  const std::vector<EngineSpec> specs_;
  const PoolSettings settings_;
  PoolObserver* const observer_;

  std::vector<std::unique_ptr<EngineWorker>> workers_;
  FairQueue<Waiting> queue_;
  std::deque<Waiting> retries_;  // before everybody else: they have waited already
  std::vector<Running> running_;
  bool dispatch_scheduled_ = false;
  bool closing_ = false;

  mutable Mutex mutex_;
  std::vector<EngineStatus> status_ KOMADAI_GUARDED_BY(mutex_);
  SearchId next_id_ KOMADAI_GUARDED_BY(mutex_) = 1;

  EventLoop loop_;  // last: its thread uses everything above
};

}  // namespace komadai::engine
