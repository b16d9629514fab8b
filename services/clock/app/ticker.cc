#include "services/clock/app/ticker.h"

#include <algorithm>

namespace komadai::clock {

Ticker::Ticker(Expiries& expiries, const TimeSource& time) : expiries_(expiries), time_(time) {
  expiries_.OnWake([signal = signal_] {
    const std::lock_guard lock(signal->mutex);
    signal->woken = true;
    signal->wake.notify_one();
  });
}

Ticker::~Ticker() { Stop(); }

void Ticker::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Ticker::Stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(signal_->mutex);
    signal_->stopping = true;
    signal_->wake.notify_one();
  }
  thread_.join();
}

void Ticker::Run() {
  Signal& signal = *signal_;
  for (;;) {
    const TimePoint next = expiries_.Tick();
    const Millis wait = std::max(next - time_.Now(), Millis(0));
    std::unique_lock lock(signal.mutex);
    signal.wake.wait_for(lock, wait, [&] { return signal.woken || signal.stopping; });
    if (signal.stopping) return;
    signal.woken = false;
  }
}

}  // namespace komadai::clock
