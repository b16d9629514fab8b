// Replicas of the clock service without gRPC, on one store, with time that a test moves by hand.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/base/time.h"
#include "libs/livestore/faulty_live_store.h"
#include "libs/livestore/live_store.h"
#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"
#include "services/clock/metrics.h"
#include "services/clock/store/clock_store.h"

namespace komadai::clock {

inline constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};

class HandClock final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_ms_.load()); }
  void Advance(Millis by) { now_ms_.fetch_add(by.count()); }

 private:
  std::atomic<std::int64_t> now_ms_{ToUnixMillis(kStart)};
};

// One process. `fault` decides what its connection to the store does.
class Replica {
 public:
  Replica(livestore::LiveStore& store, const TimeSource& time, std::string name)
      : faulty_(store,
                [this](const livestore::Operation& operation) {
                  ++operations;
                  return fault(operation);
                }),
        store_(faulty_),
        metrics_(registry_),
        time_(time),
        expiries_(store_, time, std::move(name), {}, metrics_, telemetry::Logger::Null()),
        clocks_(store_, 1024, time, metrics_,
                [this](const std::string& game_id, const StoredClock& stored) {
                  expiries_.ClockChanged(game_id, stored);
                }) {
    expiries_.Watch([this](const Expiry* expiry) {
      const MutexLock lock(mutex_);
      if (expiry == nullptr) {
        ++heartbeats_;
      } else {
        heard_.emplace_back(*expiry, time_.Now());
      }
    });
    expiries_.Open();
  }

  Result<Answer> Start(const std::string& game_id, const timecontrol::TimeControl& control,
                       TimePoint at, Side to_move = Side::kFirst) {
    return SyncWait(clocks_.Start(game_id, control, to_move, at));
  }
  // The side is that of a game that the first side began.
  Result<Answer> Press(const std::string& game_id, int ply, TimePoint at) {
    const Side side = ply % 2 == 0 ? Side::kFirst : Side::kSecond;
    return SyncWait(clocks_.Press(game_id, {.ply = ply, .side = side, .at = at}));
  }
  Result<Answer> Stop(const std::string& game_id, TimePoint at) {
    return SyncWait(clocks_.Stop(game_id, {.at = at}));
  }
  Result<Answer> AddTime(const std::string& game_id, const std::string& request_id, Side side,
                         Millis amount, TimePoint at) {
    AddTimeCommand add{.request_id = request_id, .side = side, .amount = amount, .at = at};
    return SyncWait(clocks_.Adjust(game_id, std::move(add)));
  }
  Result<Answer> Rewind(const std::string& game_id, const std::string& request_id, int ply,
                        TimePoint at) {
    RewindCommand rewind{.request_id = request_id,
                         .ply = ply,
                         .side_to_move = ply % 2 == 0 ? Side::kFirst : Side::kSecond,
                         .at = at};
    return SyncWait(clocks_.Adjust(game_id, std::move(rewind)));
  }
  Result<Answer> Adjust(const std::string& game_id, Command command) {
    return SyncWait(clocks_.Adjust(game_id, std::move(command)));
  }
  Result<Answer> Get(const std::string& game_id) { return SyncWait(clocks_.Get(game_id)); }

  // What watchers of this process heard, and when.
  std::vector<std::pair<Expiry, TimePoint>> Heard() const {
    const MutexLock lock(mutex_);
    return heard_;
  }
  int heartbeats() const {
    const MutexLock lock(mutex_);
    return heartbeats_;
  }
  std::string Metrics() const { return registry_.Scrape(); }
  Expiries& expiries() { return expiries_; }
  ClockStore& store() { return store_; }

  std::function<livestore::Fault(const livestore::Operation&)> fault =
      [](const livestore::Operation&) { return livestore::Fault::kNone; };
  std::atomic<int> operations = 0;

 private:
  mutable Mutex mutex_;
  std::vector<std::pair<Expiry, TimePoint>> heard_ KOMADAI_GUARDED_BY(mutex_);
  int heartbeats_ KOMADAI_GUARDED_BY(mutex_) = 0;

  livestore::FaultyLiveStore faulty_;
  ClockStore store_;
  telemetry::Metrics registry_;
  ClockMetrics metrics_;
  const TimeSource& time_;
  Expiries expiries_;
  Clocks clocks_;
};

}  // namespace komadai::clock
