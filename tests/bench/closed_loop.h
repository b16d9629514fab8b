// ClosedLoop: a fixed number of asynchronous callers, each with one call on its way at any time.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace komadai::bench {

struct LoadResult {
  double seconds = 0;
  std::vector<double> latencies_ms;  // sorted
  std::int64_t failures = 0;

  double per_second() const {
    return seconds > 0 ? static_cast<double>(latencies_ms.size()) / seconds : 0;
  }
  double percentile(double fraction) const {
    if (latencies_ms.empty()) return 0;
    const auto last = static_cast<double>(latencies_ms.size() - 1);
    return latencies_ms[static_cast<std::size_t>(fraction * last)];
  }
};

// Runs `callers` for `duration`. `call(caller, done)` starts one call; `done(ok)` says that it
// ended, on any thread. A caller stops early when `call` returns false.
inline LoadResult RunClosedLoop(int callers, std::chrono::milliseconds duration,
                                std::function<bool(int, std::function<void(bool)>)> call) {
  using Clock = std::chrono::steady_clock;
  struct Caller {
    std::vector<double> latencies;
    std::int64_t failures = 0;
  };
  std::vector<Caller> all(static_cast<std::size_t>(callers));
  std::mutex mutex;
  std::condition_variable idle;
  int active = callers;
  const Clock::time_point start = Clock::now();
  const Clock::time_point until = start + duration;

  const auto leave = [&] {
    const std::lock_guard lock(mutex);
    if (--active == 0) idle.notify_all();
  };
  std::function<void(int)> next = [&](int caller) {
    if (Clock::now() >= until) return leave();
    const Clock::time_point sent = Clock::now();
    const bool started = call(caller, [&, caller, sent](bool ok) {
      Caller& own = all[static_cast<std::size_t>(caller)];
      const std::chrono::duration<double, std::milli> took = Clock::now() - sent;
      if (ok) {
        own.latencies.push_back(took.count());
      } else {
        ++own.failures;
      }
      next(caller);
    });
    if (!started) leave();
  };
  for (int caller = 0; caller < callers; ++caller) next(caller);
  std::unique_lock lock(mutex);
  idle.wait(lock, [&] { return active == 0; });

  LoadResult result;
  result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (const Caller& caller : all) {
    result.latencies_ms.insert(result.latencies_ms.end(), caller.latencies.begin(),
                               caller.latencies.end());
    result.failures += caller.failures;
  }
  std::sort(result.latencies_ms.begin(), result.latencies_ms.end());
  return result;
}

}  // namespace komadai::bench
