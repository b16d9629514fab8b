// TaskGroup: background tasks whose end can be awaited, so that nothing outlives what it uses.
#pragma once

#include <cstddef>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/task.h"

namespace komadai {

// Thread-safe. After Stop() nothing is spawned any more and all spawned tasks have ended.
class TaskGroup {
 public:
  TaskGroup() = default;
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup() { Stop(); }

  // Starts `task` now; an exception goes to the EscapedHandler. False after Stop(): the task is
  // dropped without being started.
  bool Spawn(Task<void> task) {
    {
      const MutexLock lock(mutex_);
      if (stopping_) return false;
      ++running_;
    }
    StartCatching(std::move(task), [this](Caught<void> caught) {
      if (caught.exception) ReportEscaped(caught.exception);
      Finish();
    });
    return true;
  }

  bool stopping() const {
    const MutexLock lock(mutex_);
    return stopping_;
  }

  // Blocks until the running tasks have ended; not to be called from one of them.
  void Stop() {
    MutexLock lock(mutex_);
    stopping_ = true;
    while (running_ != 0) idle_.Wait(lock);
  }

 private:
  void Finish() {
    // Notified under the lock: the waiter may destroy the group as soon as it can take it.
    const MutexLock lock(mutex_);
    if (--running_ == 0) idle_.NotifyAll();
  }

  mutable Mutex mutex_;
  CondVar idle_;
  std::size_t running_ KOMADAI_GUARDED_BY(mutex_) = 0;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
};

}  // namespace komadai
