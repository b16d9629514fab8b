// The queues between the threads of a sqlite::Database.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai::sqlite {

// A closable queue that hands out everything it has, up to a limit, at once. What is pushed to the
// background is handed out when there is nothing else, or when it has waited for some turns, and up
// to a limit of its own. Not bounded itself: the Database bounds what it accepts.
template <typename T>
class JobQueue {
 public:
  // False after Close().
  bool Push(T item, bool background = false) {
    {
      const MutexLock lock(mutex_);
      if (closed_) return false;
      (background ? background_ : items_).push_back(std::move(item));
    }
    ready_.NotifyOne();
    return true;
  }

  // Waits for items and takes up to `limit`, or else up to `background_limit` of the background;
  // empty once closed and drained.
  std::vector<T> Take(std::size_t limit, std::size_t background_limit = 1) {
    MutexLock lock(mutex_);
    while (!closed_ && items_.empty() && background_.empty()) ready_.Wait(lock);
    const bool background =
        items_.empty() || (!background_.empty() && turns_ >= kTurnsBeforeBackground);
    turns_ = background ? 0 : turns_ + 1;
    std::deque<T>& from = background ? background_ : items_;
    const std::size_t most = background ? background_limit : limit;
    std::vector<T> taken;
    while (!from.empty() && taken.size() < most) {
      taken.push_back(std::move(from.front()));
      from.pop_front();
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
  static constexpr int kTurnsBeforeBackground = 8;

  Mutex mutex_;
  CondVar ready_;
  std::deque<T> items_ KOMADAI_GUARDED_BY(mutex_);
  std::deque<T> background_ KOMADAI_GUARDED_BY(mutex_);
  int turns_ KOMADAI_GUARDED_BY(mutex_) = 0;  // since the background had one
  bool closed_ KOMADAI_GUARDED_BY(mutex_) = false;
};

}  // namespace komadai::sqlite
