// SyncWait: blocks a thread until a Task has ended. For tests, main programs and readiness checks;
// never on a thread that completes tasks (gRPC callbacks, store loops).
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <utility>

#include "libs/base/task.h"

namespace komadai {

template <typename T>
T SyncWait(Task<T> task) {
  std::mutex mutex;
  std::condition_variable done;
  std::optional<T> result;
  Start(std::move(task), [&](T value) {
    // Notified under the lock: the waiter may return, and its locals go, as soon as it is released.
    const std::lock_guard lock(mutex);
    result.emplace(std::move(value));
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return result.has_value(); });
  return *std::move(result);
}

inline void SyncWait(Task<void> task) {
  std::mutex mutex;
  std::condition_variable done;
  bool ended = false;
  Start(std::move(task), [&] {
    const std::lock_guard lock(mutex);
    ended = true;
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return ended; });
}

}  // namespace komadai
