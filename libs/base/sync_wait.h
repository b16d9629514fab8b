// SyncWait: blocks a thread until a Task has ended. For tests, main programs and readiness checks;
// never on a thread that completes tasks (gRPC callbacks, store loops): see NoWaiting.
#pragma once

#include <optional>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/no_waiting.h"
#include "libs/base/task.h"

namespace komadai {

template <typename T>
T SyncWait(Task<T> task) {
  NoWaiting::Check();
  Mutex mutex;
  CondVar done;
  std::optional<T> result;
  Start(std::move(task), [&](T value) {
    // Notified under the lock: the waiter may return, and its locals go, as soon as it is released.
    const MutexLock lock(mutex);
    result.emplace(std::move(value));
    done.NotifyOne();
  });
  MutexLock lock(mutex);
  while (!result.has_value()) done.Wait(lock);
  return *std::move(result);
}

inline void SyncWait(Task<void> task) {
  NoWaiting::Check();
  Mutex mutex;
  CondVar done;
  bool ended = false;
  Start(std::move(task), [&] {
    const MutexLock lock(mutex);
    ended = true;
    done.NotifyOne();
  });
  MutexLock lock(mutex);
  while (!ended) done.Wait(lock);
}

}  // namespace komadai
