#include "services/clock/app/ticker.h"

#include <gtest/gtest.h>

#include "libs/base/mutex.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/memory_live_store.h"
#include "services/clock/app/clocks.h"

namespace komadai::clock {
namespace {

using std::chrono::minutes;

TEST(Ticker, AnnouncesADeadlineOfRealTimeSoonButNotEarly) {
  const SystemTimeSource time;
  livestore::MemoryLiveStore memory(time);
  ClockStore store(memory);
  telemetry::Metrics registry;
  ClockMetrics metrics(registry);
  Expiries expiries(store, time, "me", {}, metrics, telemetry::Logger::Null());
  Ticker ticker(expiries, time);
  Clocks clocks(store, 16, time, metrics,
                [&](const std::string& game_id, const StoredClock& stored) {
                  expiries.ClockChanged(game_id, stored);
                });
  Mutex mutex;
  CondVar changed;
  std::optional<Expiry> heard;
  TimePoint heard_at;
  expiries.Watch([&](const Expiry* expiry) {
    if (expiry == nullptr) return;
    const MutexLock lock(mutex);
    if (heard) return;
    heard = *expiry;
    heard_at = time.Now();
    changed.NotifyAll();
  });
  expiries.Open();
  ticker.Start();
  const timecontrol::TimeControl control{.first = {.main = Millis(30)}, .second = {}};
  ASSERT_TRUE(SyncWait(clocks.Start("g", control, Side::kFirst, time.Now())));
  {
    const auto until = std::chrono::steady_clock::now() + minutes(1);
    MutexLock lock(mutex);
    while (!heard && changed.WaitUntil(lock, until)) {
    }
    ASSERT_TRUE(heard.has_value());
    EXPECT_GE(heard_at, heard->deadline);
  }
  ticker.Stop();
  expiries.Close();
}

}  // namespace
}  // namespace komadai::clock
