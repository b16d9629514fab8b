// The queues between the threads of a sqlite::Database.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai::sqlite {

// A closable queue that hands out everything it has, up to a limit, at once. Not bounded itself:
// the Database bounds what it accepts.
template <typename T>
class JobQueue {
 public:
  // False after Close().
  bool Push(T item) {
    {
      const MutexLock lock(mutex_);
      if (closed_) return false;
      items_.push_back(std::move(item));
    }
    ready_.NotifyOne();
    return true;
  }

  // Waits for items and takes up to `limit`; empty once closed and drained.
  std::vector<T> Take(std::size_t limit) {
    MutexLock lock(mutex_);
    while (!closed_ && items_.empty()) ready_.Wait(lock);
    std::vector<T> taken;
    while (!items_.empty() && taken.size() < limit) {
      taken.push_back(std::move(items_.front()));
      items_.pop_front();
    }
    return taken;
  }

  void Close() {
    {
      const MutexLock lock(mutex_);
      closed_ = true;
    }
    ready_.NotifyAll();
  }

 private:
  Mutex mutex_;
  CondVar ready_;
  std::deque<T> items_ KOMADAI_GUARDED_BY(mutex_);
  bool closed_ KOMADAI_GUARDED_BY(mutex_) = false;
};

}  // namespace komadai::sqlite
