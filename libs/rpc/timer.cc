#include "libs/rpc/timer.h"

#include <grpcpp/alarm.h>

#include <exception>

#include "libs/base/mutex.h"
#include "libs/base/no_waiting.h"

namespace komadai::rpc {
namespace {

// What an alarm calls on gRPC's thread.
template <typename Done>
std::function<void(bool)> OnAlarm(Done done) {
  return [done = std::move(done)](bool fired) {
    const NoWaiting here;
    done(fired);
  };
}

}  // namespace

Task<void> SleepFor(Millis delay) {
  grpc::Alarm alarm;
  co_await FromCallback<bool>(
      [&](auto done) { alarm.Set(std::chrono::system_clock::now() + delay, OnAlarm(done)); });
}

struct PeriodicTask::State {
  Millis interval;
  telemetry::Logger log;
  std::function<Task<void>()> work;

  Mutex mutex = {};
  CondVar ended = {};
  bool stopping KOMADAI_GUARDED_BY(mutex) = false;
  bool running KOMADAI_GUARDED_BY(mutex) = true;  // the loop
  std::unique_ptr<grpc::Alarm> alarm KOMADAI_GUARDED_BY(mutex) = nullptr;

  // Arms the timer, or calls `done` at once if the task is to stop.
  template <typename Done>
  void Arm(Done done) {
    std::unique_ptr<grpc::Alarm> old;
    {
      const MutexLock lock(mutex);
      if (!stopping) {
        old = std::exchange(alarm, std::make_unique<grpc::Alarm>());
        alarm->Set(std::chrono::system_clock::now() + interval, OnAlarm(done));
        return;
      }
    }
    done(false);
  }
};

Task<void> PeriodicTask::Loop(std::shared_ptr<State> state) {
  for (;;) {
    const bool fired = co_await FromCallback<bool>([&](auto done) { state->Arm(done); });
    if (!fired) break;
    try {
      co_await state->work();
    } catch (const std::exception& e) {
      state->log.Error("exception in a periodic task", {{"what", e.what()}});
    }
  }
  const MutexLock lock(state->mutex);
  state->running = false;
  state->ended.NotifyAll();
}

PeriodicTask::PeriodicTask(Millis interval, telemetry::Logger log, std::function<Task<void>()> work)
    : state_(new State{interval, std::move(log), std::move(work)}) {
  Detach(Loop(state_));
}

PeriodicTask::~PeriodicTask() { Stop(); }

void PeriodicTask::Stop() {
  MutexLock lock(state_->mutex);
  state_->stopping = true;
  if (state_->alarm != nullptr) state_->alarm->Cancel();
  while (state_->running) state_->ended.Wait(lock);
}

}  // namespace komadai::rpc
