#include "libs/rpc/timer.h"

#include <grpcpp/alarm.h>

#include <condition_variable>
#include <exception>
#include <mutex>

namespace komadai::rpc {

Task<void> SleepFor(Millis delay) {
  grpc::Alarm alarm;
  co_await FromCallback<bool>([&](auto done) {
    alarm.Set(std::chrono::system_clock::now() + delay, std::function<void(bool)>(done));
  });
}

struct PeriodicTask::State {
  Millis interval;
  telemetry::Logger log;
  std::function<Task<void>()> work;

  std::mutex mutex = {};
  std::condition_variable ended = {};
  bool stopping = false;
  bool running = true;  // the loop
  std::unique_ptr<grpc::Alarm> alarm = nullptr;

  // Arms the timer, or calls `done` at once if the task is to stop.
  template <typename Done>
  void Arm(Done done) {
    std::unique_ptr<grpc::Alarm> old;
    {
      const std::lock_guard lock(mutex);
      if (!stopping) {
        old = std::exchange(alarm, std::make_unique<grpc::Alarm>());
        alarm->Set(std::chrono::system_clock::now() + interval, std::function<void(bool)>(done));
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
  const std::lock_guard lock(state->mutex);
  state->running = false;
  state->ended.notify_all();
}

PeriodicTask::PeriodicTask(Millis interval, telemetry::Logger log, std::function<Task<void>()> work)
    : state_(new State{interval, std::move(log), std::move(work)}) {
  Detach(Loop(state_));
}

PeriodicTask::~PeriodicTask() { Stop(); }

void PeriodicTask::Stop() {
  std::unique_lock lock(state_->mutex);
  state_->stopping = true;
  if (state_->alarm != nullptr) state_->alarm->Cancel();
  state_->ended.wait(lock, [this] { return !state_->running; });
}

}  // namespace komadai::rpc
