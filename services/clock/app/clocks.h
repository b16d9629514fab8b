// Clocks: the commands of the service. Decides on the clock at hand, commits on condition that
// nobody else changed it, and decides again after a conflict or a commit without an answer.
//
// A press is normally one round trip to the store: it is decided on the cached clock. A refusal,
// and any answer that commits nothing, is only ever given on a clock read from the store in the
// same call. Thread-safe.
#pragma once

#include <functional>
#include <string>

#include "libs/base/lru_cache.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/until_committed.h"
#include "services/clock/domain/live_clock.h"
#include "services/clock/metrics.h"
#include "services/clock/store/clock_store.h"

namespace komadai::clock {

struct Answer {
  Reading reading;
  Millis used{0};  // of a press
};

class Clocks {
 public:
  // Called after each commit of this process with the clock as committed.
  using OnChange = std::function<void(const std::string& game_id, const StoredClock& stored)>;

  // All references must outlive this and its Tasks.
  Clocks(ClockStore& store, std::size_t cached_clocks, const TimeSource& time,
         ClockMetrics& metrics, OnChange on_change);

  // A repeat answers the clock as it stands; kClockExists if it runs under another control.
  Task<Result<Answer>> Start(std::string game_id, timecontrol::TimeControl control, Side to_move,
                             TimePoint at);
  // The refusals of Decide(), kClockNotFound, kContention, and failures of the store (all of which
  // leave the command safe to repeat).
  Task<Result<Answer>> Press(std::string game_id, PressCommand command);
  Task<Result<Answer>> Stop(std::string game_id, StopCommand command);
  Task<Result<Answer>> Adjust(std::string game_id, Command command);
  Task<Result<Answer>> Get(std::string game_id);

 private:
  using Attempt = livestore::Attempt<Answer>;
  enum class From { kCache, kStore };

  Task<Attempt> TryStart(std::string game_id, LiveClock clock, TimePoint at);
  Task<Result<Answer>> Execute(std::string game_id, Command command);
  Task<Attempt> TryOnStored(std::string game_id, Command command);
  // A refusal or an answer that commits nothing, decided on a cached clock, is a lost race.
  Task<Attempt> DecideAndCommit(std::string game_id, Command command, StoredClock stored,
                                From source);
  Task<Result<StoredClock>> LoadExisting(std::string game_id);
  void Committed(const std::string& game_id, const StoredClock& stored);

  ClockStore& store_;
  // May be out of date, since other replicas change clocks too: good enough to decide a commit,
  // which compares the version; never to refuse a command.
  LruCache<StoredClock> cache_;
  const TimeSource& time_;
  ClockMetrics& metrics_;
  const OnChange on_change_;
};

}  // namespace komadai::clock
