// Load from one process: a fixed number of asynchronous callers, each with at most one call on its
// way at any time, as fast as they are answered or at a given pace.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "libs/base/mutex.h"

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

enum class Ended : std::uint8_t {
  kCounted,
  kFailed,
  kUncounted,  // worked, but is not what is measured
};
using Done = std::function<void(Ended)>;
// Starts one call of a caller; `done` says that it ended, on any thread.
using StartCall = std::function<void(int caller, Done done)>;

namespace internal {

// What the callers of one run have in common. A caller has one call on its way at any time, so its
// own entry needs no lock.
struct Tally {
  struct Caller {
    std::vector<double> latencies;
    std::int64_t failures = 0;
  };

  explicit Tally(int callers) : all(static_cast<std::size_t>(callers)) {}

  void Count(int caller, Ended ended, std::chrono::duration<double, std::milli> took) {
    Caller& own = all[static_cast<std::size_t>(caller)];
    if (ended == Ended::kCounted) own.latencies.push_back(took.count());
    if (ended == Ended::kFailed) ++own.failures;
  }
  LoadResult Sum(double seconds) const {
    LoadResult result;
    result.seconds = seconds;
    for (const Caller& caller : all) {
      result.latencies_ms.insert(result.latencies_ms.end(), caller.latencies.begin(),
                                 caller.latencies.end());
      result.failures += caller.failures;
    }
    std::sort(result.latencies_ms.begin(), result.latencies_ms.end());
    return result;
  }

  std::vector<Caller> all;
};

}  // namespace internal

// Runs `callers`, each starting its next call when the last one ended, for as long as `more` says.
inline LoadResult RunWhile(int callers, const std::function<bool()>& more, const StartCall& call) {
  using Clock = std::chrono::steady_clock;
  internal::Tally tally(callers);
  Mutex mutex;
  CondVar idle;
  int active = callers;
  const Clock::time_point start = Clock::now();

  std::function<void(int)> next = [&](int caller) {
    if (!more()) {
      const MutexLock lock(mutex);
      if (--active == 0) idle.NotifyAll();
      return;
    }
    const Clock::time_point sent = Clock::now();
    call(caller, [&, caller, sent](Ended ended) {
      tally.Count(caller, ended, Clock::now() - sent);
      next(caller);
    });
  };
  for (int caller = 0; caller < callers; ++caller) next(caller);
  MutexLock lock(mutex);
  while (active != 0) idle.Wait(lock);
  return tally.Sum(std::chrono::duration<double>(Clock::now() - start).count());
}

inline LoadResult RunClosedLoop(int callers, std::chrono::milliseconds duration,
                                const StartCall& call) {
  const auto until = std::chrono::steady_clock::now() + duration;
  return RunWhile(
      callers, [until] { return std::chrono::steady_clock::now() < until; }, call);
}

// `count` calls in all.
inline LoadResult RunCount(int callers, std::int64_t count, const StartCall& call) {
  std::atomic<std::int64_t> left{count};
  return RunWhile(
      callers, [&left] { return left.fetch_sub(1) > 0; }, call);
}

// Starts `per_second` calls a second for `duration`, whether or not earlier ones have ended, on
// whichever of the `callers` is free. A latency counts from the instant at which the call was due,
// so a server that stalls is not spared the calls that had to wait.
inline LoadResult RunPaced(int callers, double per_second, std::chrono::milliseconds duration,
                           const StartCall& call) {
  using Clock = std::chrono::steady_clock;
  internal::Tally tally(callers);
  Mutex mutex;
  CondVar changed;
  std::vector<int> free;
  for (int caller = 0; caller < callers; ++caller) free.push_back(caller);
  const Clock::time_point start = Clock::now();
  const auto count =
      static_cast<std::int64_t>(per_second * std::chrono::duration<double>(duration).count());
  for (std::int64_t i = 0; i < count; ++i) {
    const auto due =
        start + std::chrono::duration_cast<Clock::duration>(
                    std::chrono::duration<double>(static_cast<double>(i) / per_second));
    std::this_thread::sleep_until(due);
    MutexLock lock(mutex);
    while (free.empty()) changed.Wait(lock);
    const int caller = free.back();
    free.pop_back();
    lock.Unlock();
    call(caller, [&, caller, due](Ended ended) {
      tally.Count(caller, ended, Clock::now() - due);
      const MutexLock own(mutex);
      free.push_back(caller);
      changed.NotifyAll();
    });
  }
  MutexLock lock(mutex);
  while (free.size() != static_cast<std::size_t>(callers)) changed.Wait(lock);
  return tally.Sum(std::chrono::duration<double>(Clock::now() - start).count());
}

}  // namespace komadai::bench
