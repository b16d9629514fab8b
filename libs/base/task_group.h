// TaskGroup: background tasks whose end can be awaited, so that nothing outlives what it uses.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>

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
      const std::lock_guard lock(mutex_);
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
    const std::lock_guard lock(mutex_);
    return stopping_;
  }

  // Blocks until the running tasks have ended; not to be called from one of them.
  void Stop() {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    idle_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void Finish() {
    // Notified under the lock: the waiter may destroy the group as soon as it can take it.
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) idle_.notify_all();
  }

  mutable std::mutex mutex_;
  std::condition_variable idle_;
  std::size_t running_ = 0;
  bool stopping_ = false;
};

}  // namespace komadai
