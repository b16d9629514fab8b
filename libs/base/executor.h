// BoundedExecutor: a few threads and a bounded queue for work that blocks (SQL, files, engines).
//
// One per dependency, so that a stalled database cannot take the threads of anything else. A full
// queue refuses at once (kOverloaded) instead of growing: waiting callers time out anyway.
// Thread-safe. The destructor finishes what was accepted and joins the threads.
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"

namespace komadai {

namespace internal {

template <typename T>
struct AsResult {
  using Type = Result<T>;
};
template <typename T>
struct AsResult<Result<T>> {
  using Type = Result<T>;
};

// Runs `fn`, turning a void or plain value into a Result and an escaped exception into INTERNAL.
template <typename Outcome, typename Fn>
Outcome RunToResult(Fn& fn) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Fn&>>) {
      fn();
      return Outcome();
    } else {
      return fn();
    }
  } catch (const std::exception& e) {
    return Error(kInternal, std::string("unexpected exception: ") + e.what());
  } catch (...) {
    return Error(kInternal, "unexpected exception of unknown type");
  }
}

}  // namespace internal

class BoundedExecutor {
 public:
  // `queue_limit` counts the work that waits, beyond what the `threads` are running.
  BoundedExecutor(std::string name, int threads, std::size_t queue_limit)
      : name_(std::move(name)), queue_limit_(queue_limit) {
    KOMADAI_CHECK(threads > 0);
    threads_.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Loop(); });
  }
  ~BoundedExecutor() { Stop(); }
  BoundedExecutor(const BoundedExecutor&) = delete;
  BoundedExecutor& operator=(const BoundedExecutor&) = delete;

  // False: the queue is full or the executor is stopping; `work` will not run. `work` must not
  // throw.
  bool TryPost(std::function<void()> work) {
    {
      const std::lock_guard lock(mutex_);
      if (stopping_ || queue_.size() >= queue_limit_ + idle_) {
        ++refused_;
        return false;
      }
      queue_.push_back(std::move(work));
    }
    ready_.notify_one();
    return true;
  }

  // co_await executor.Run([] { return Load(); }) -> Result<T>, where the function returns T, void
  // or Result<T>. The awaiting coroutine goes on in the executor's thread. kOverloaded when
  // refused.
  template <typename Fn>
  auto Run(Fn fn) -> Task<typename internal::AsResult<std::invoke_result_t<Fn&>>::Type> {
    using Outcome = typename internal::AsResult<std::invoke_result_t<Fn&>>::Type;
    co_return co_await FromCallback<Outcome>([&](auto done) {
      // `fn` lives in this coroutine's frame, which waits until `done` is called.
      const bool accepted = TryPost([&fn, done] { done(internal::RunToResult<Outcome>(fn)); });
      if (!accepted) done(Error(kOverloaded, "the queue of " + name_ + " is full; retry later"));
    });
  }

  // Refuses new work, finishes what was accepted and joins the threads. Idempotent; not to be
  // called from the executor's own threads.
  void Stop() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    ready_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  const std::string& name() const { return name_; }
  // For gauges.
  std::size_t QueueDepth() const {
    const std::lock_guard lock(mutex_);
    return queue_.size();
  }
  std::uint64_t RefusedCount() const {
    const std::lock_guard lock(mutex_);
    return refused_;
  }

 private:
  void Loop() {
    for (;;) {
      std::function<void()> work;
      {
        std::unique_lock lock(mutex_);
        ++idle_;
        ready_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        --idle_;
        if (queue_.empty()) return;
        work = std::move(queue_.front());
        queue_.pop_front();
      }
      work();
    }
  }

  const std::string name_;
  const std::size_t queue_limit_;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> queue_;
  std::size_t idle_ = 0;  // threads waiting for work: each takes one item beyond queue_limit_
  std::uint64_t refused_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace komadai
