// The queues between the threads of a sqlite::Database.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace komadai::sqlite {

// A closable queue that hands out everything it has, up to a limit, at once. Not bounded itself:
// the Database bounds what it accepts.
template <typename T>
class JobQueue {
 public:
  // False after Close().
  bool Push(T item) {
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return false;
      items_.push_back(std::move(item));
    }
    ready_.notify_one();
    return true;
  }

  // Waits for items and takes up to `limit`; empty once closed and drained.
  std::vector<T> Take(std::size_t limit) {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
    std::vector<T> taken;
    while (!items_.empty() && taken.size() < limit) {
      taken.push_back(std::move(items_.front()));
      items_.pop_front();
    }
    return taken;
  }

  void Close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<T> items_;
  bool closed_ = false;
};

}  // namespace komadai::sqlite
