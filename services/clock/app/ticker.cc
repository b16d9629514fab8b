#include "services/clock/app/ticker.h"

#include <algorithm>

namespace komadai::clock {

Ticker::Ticker(Expiries& expiries, const TimeSource& time) : expiries_(expiries), time_(time) {
  expiries_.OnWake([signal = signal_] {
    const MutexLock lock(signal->mutex);
    signal->woken = true;
    signal->wake.NotifyOne();
  });
}

Ticker::~Ticker() { Stop(); }

void Ticker::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Ticker::Stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(signal_->mutex);
    signal_->stopping = true;
    signal_->wake.NotifyOne();
  }
  thread_.join();
}

void Ticker::Run() {
  Signal& signal = *signal_;
  for (;;) {
    const TimePoint next = expiries_.Tick();
    const Millis wait = std::max(next - time_.Now(), Millis(0));
    MutexLock lock(signal.mutex);
    const auto until = std::chrono::steady_clock::now() + wait;
    while (!signal.woken && !signal.stopping && signal.wake.WaitUntil(lock, until)) {
    }
    if (signal.stopping) return;
    signal.woken = false;
  }
}

}  // namespace komadai::clock
