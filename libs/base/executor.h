// BoundedExecutor: a few threads and a bounded queue for work that blocks (SQL, files, engines).
//
// One per dependency, so that a stalled database cannot take the threads of anything else. A full
// queue refuses at once (kOverloaded) instead of growing: waiting callers time out anyway.
// Thread-safe. The destructor finishes what was accepted and joins the threads.
#pragma once

#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
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
      const MutexLock lock(mutex_);
      if (stopping_ || queue_.size() >= queue_limit_ + idle_) {
        ++refused_;
        return false;
      }
      queue_.push_back(std::move(work));
    }
    ready_.NotifyOne();
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
      const MutexLock lock(mutex_);
      stopping_ = true;
    }
    ready_.NotifyAll();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  const std::string& name() const { return name_; }
  // For gauges.
  std::size_t QueueDepth() const {
    const MutexLock lock(mutex_);
    return queue_.size();
  }
  std::uint64_t RefusedCount() const {
    const MutexLock lock(mutex_);
    return refused_;
  }

 private:
  void Loop() {
    for (;;) {
      std::function<void()> work;
      {
        MutexLock lock(mutex_);
        ++idle_;
        while (!stopping_ && queue_.empty()) ready_.Wait(lock);
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
  mutable Mutex mutex_;
  CondVar ready_;
  std::deque<std::function<void()>> queue_ KOMADAI_GUARDED_BY(mutex_);
  // Threads that wait for work: each takes one item beyond queue_limit_.
  std::size_t idle_ KOMADAI_GUARDED_BY(mutex_) = 0;
  std::uint64_t refused_ KOMADAI_GUARDED_BY(mutex_) = 0;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace komadai
