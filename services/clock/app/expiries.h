// Expiries: finds the deadlines that pass and tells every watcher of every replica, at least once.
//
// Three things lead to an announcement: the timers of the clocks that this process changed last; a
// sweep over the deadlines of all clocks, for those whose process is gone; and the same sweep a
// second later, again and again until the clock changes. An announcement is a commit that lets the
// flag fall and is refused if the clock has moved on: no flag falls because of what a replica did
// not know, and no press counts after it.
//
// Tick() drives it all: by a thread in a server, by hand in a test. Thread-safe.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/task.h"
#include "libs/base/task_group.h"
#include "libs/base/time.h"
#include "libs/telemetry/log.h"
#include "services/clock/app/expiry_schedule.h"
#include "services/clock/metrics.h"
#include "services/clock/store/clock_store.h"

namespace komadai::clock {

struct ExpirySettings {
  Millis sweep_interval{500};  // how often each shard is swept
  Millis heartbeat_interval{5000};
};

class Expiries {
 public:
  // Null: a heartbeat. Called on any thread; must not block.
  using Watcher = std::function<void(const Expiry* expiry)>;

  // `origin` names this process among all replicas. References must outlive this.
  Expiries(ClockStore& store, const TimeSource& time, std::string origin, ExpirySettings settings,
           ClockMetrics& metrics, telemetry::Logger log);
  ~Expiries();  // closes
  Expiries(const Expiries&) = delete;
  Expiries& operator=(const Expiries&) = delete;

  // Starts listening to other replicas.
  void Open();
  // Stops listening and waits for what is under way. Tick() does nothing from then on.
  void Close();

  // The process has committed this state of a clock.
  void ClockChanged(const std::string& game_id, const StoredClock& stored);

  int Watch(Watcher watcher);
  void Unwatch(int id);

  // Does what is due; returns when to call again at the latest.
  TimePoint Tick();
  // `wake` is called when Tick() should be called earlier than it said. Set once, before use.
  void OnWake(std::function<void()> wake) { wake_ = std::move(wake); }

 private:
  static constexpr int kSlices = 8;  // a sweep is spread over its interval
  // Deadlines this near are adopted before they pass, so that the flag of a clock whose process
  // died is not as late as the next sweep.
  static constexpr Millis kLookAhead{1000};
  static constexpr Millis kCountInterval{10000};
  static constexpr int kMaxAnnouncing = 512;

  void AnnounceDue(TimePoint now);
  void SweepSlice(TimePoint now) KOMADAI_REQUIRES(tick_mutex_);
  Task<void> Announce(DueExpiry due);
  // False: the clock has changed since.
  Task<Result<bool>> LetFlagFall(DueExpiry due);
  Task<void> SweepShard(int shard);
  Task<Status> AdoptOverdue(int shard);
  Task<Status> Adopt(int shard, std::vector<std::string> game_ids);
  Task<void> CountRunning();
  void SweepEnded(const Status& status);
  void Publish(const Expiry* expiry);
  void Heard(const AnnouncedExpiry& announced);

  ClockStore& store_;
  const TimeSource& time_;
  const std::string origin_;
  const ExpirySettings settings_;
  ClockMetrics& metrics_;
  const telemetry::Logger log_;
  std::function<void()> wake_ = [] {};

  ExpirySchedule schedule_;
  std::atomic<int> announcing_ = 0;
  std::array<std::atomic<bool>, ClockStore::kShards> sweeping_{};
  std::atomic<bool> sweep_failing_ = false;

  // Of Tick() alone.
  Mutex tick_mutex_;
  TimePoint next_slice_ KOMADAI_GUARDED_BY(tick_mutex_) = {};
  int slice_ KOMADAI_GUARDED_BY(tick_mutex_) = 0;
  TimePoint next_heartbeat_ KOMADAI_GUARDED_BY(tick_mutex_) = {};
  TimePoint next_count_ KOMADAI_GUARDED_BY(tick_mutex_) = {};

  Mutex watchers_mutex_;
  std::map<int, std::shared_ptr<const Watcher>> watchers_ KOMADAI_GUARDED_BY(watchers_mutex_);
  int last_watcher_ KOMADAI_GUARDED_BY(watchers_mutex_) = 0;

  std::unique_ptr<livestore::Subscription> subscription_;
  TaskGroup tasks_;
};

}  // namespace komadai::clock
