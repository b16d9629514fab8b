// Timers for coroutines, on gRPC's timer thread: nothing here holds a thread while it waits.
#pragma once

#include <functional>
#include <memory>

#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/telemetry/log.h"

namespace komadai::rpc {

// co_await SleepFor(100ms). Resumes on a gRPC thread.
Task<void> SleepFor(Millis delay);

// Runs `work` again and again, `interval` after it last ended; the first time after one interval.
// The destructor (or Stop) waits until no run is in progress. An exception of `work` is logged.
class PeriodicTask {
 public:
  PeriodicTask(Millis interval, telemetry::Logger log, std::function<Task<void>()> work);
  ~PeriodicTask();
  PeriodicTask(const PeriodicTask&) = delete;
  PeriodicTask& operator=(const PeriodicTask&) = delete;
  // Not to be called from `work`.
  void Stop();

 private:
  struct State;
  static Task<void> Loop(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace komadai::rpc
