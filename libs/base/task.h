// Task<T>: a lazily started coroutine; how services write asynchronous work as straight code.
//
//   Task<Result<Game>> Load(GameId id) {
//     Result<Document> document = co_await store_.Load(id);
//     ...
//   }
//
// A Task starts when it is awaited, and its awaiter resumes on whatever thread completed it (a
// Redis loop, a gRPC callback thread, an executor). Nothing here blocks. Detach() starts a Task
// nobody waits for. FromCallback() turns any callback-style operation into an awaitable.
//
// The project reports failure by Result, so an exception is a bug (or bad_alloc). It travels to the
// awaiter, up to the call or chore that it spoils; the process and all other calls live on.
//
// Rules that keep GCC 12 and lifetimes happy: coroutine parameters by value (or references that
// outlive the Task), no capturing lambda coroutines, no braced temporaries inside a co_await (name
// them first), no co_await inside a conditional expression (b ? co_await x : co_await y).
#pragma once

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/escaped.h"

namespace komadai {

template <typename T>
class Task;

namespace internal {

// A task and its awaiter meet twice: when the awaiter has suspended and when the task has finished.
// Whoever comes second resumes the awaiter. (Symmetric transfer would be shorter, but without
// guaranteed tail calls, as in sanitized builds, a long loop of co_awaits overflows the stack.)
class Meeting {
 public:
  bool SecondToArrive() { return arrivals_.fetch_add(1, std::memory_order_acq_rel) == 1; }

 private:
  std::atomic<int> arrivals_{0};
};

struct FinalAwaiter {
  bool await_ready() const noexcept { return false; }
  template <typename Promise>
  void await_suspend(std::coroutine_handle<Promise> done) const noexcept {
    // The awaiter may destroy this frame as soon as it runs: copy what is needed first.
    const std::coroutine_handle<> continuation = done.promise().continuation;
    if (done.promise().meeting.SecondToArrive()) continuation.resume();
  }
  void await_resume() const noexcept {}
};

struct PromiseBase {
  std::coroutine_handle<> continuation;
  Meeting meeting;
  std::suspend_always initial_suspend() const noexcept { return {}; }
  FinalAwaiter final_suspend() const noexcept { return {}; }
  std::exception_ptr exception;
  void unhandled_exception() noexcept { exception = std::current_exception(); }
  void Rethrow() const {
    if (exception) std::rethrow_exception(exception);
  }
};

template <typename T>
struct TaskPromise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  template <typename U>
  void return_value(U&& u) {
    value.emplace(std::forward<U>(u));
  }
  T Take() {
    Rethrow();
    return std::move(*value);
  }
};

template <>
struct TaskPromise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() const noexcept {}
  void Take() const { Rethrow(); }
};

}  // namespace internal

template <typename T = void>
class [[nodiscard]] Task {
 public:
  using promise_type = internal::TaskPromise<T>;

  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> awaiting) noexcept {
    promise_type& promise = handle_.promise();
    promise.continuation = awaiting;
    handle_.resume();
    return !promise.meeting.SecondToArrive();  // false: finished already, go on without suspending
  }
  T await_resume() { return handle_.promise().Take(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

// What a task came to: a value, or the exception that it threw.
template <typename T>
struct Caught {
  std::optional<T> value;
  std::exception_ptr exception;

  T Take() {
    if (exception) std::rethrow_exception(exception);
    return *std::move(value);
  }
};
template <>
struct Caught<void> {
  std::exception_ptr exception;
};

namespace internal {

template <typename T>
Task<T> TaskPromise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<TaskPromise<T>>::from_promise(*this));
}
inline Task<void> TaskPromise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<TaskPromise<void>>::from_promise(*this));
}

struct Detached {
  struct promise_type {
    Detached get_return_object() const noexcept { return {}; }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_never final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() const noexcept { std::terminate(); }
  };
};

template <typename T, typename Done>
Detached RunDetached(Task<T> task, Done done) {
  if constexpr (std::is_void_v<T>) {
    co_await std::move(task);
    done();
  } else {
    done(co_await std::move(task));
  }
}

template <typename T, typename Done>
Detached RunCatching(Task<T> task, Done done) {
  Caught<T> caught;
  try {
    if constexpr (std::is_void_v<T>) {
      co_await std::move(task);
    } else {
      caught.value.emplace(co_await std::move(task));
    }
  } catch (...) {
    caught.exception = std::current_exception();
  }
  done(std::move(caught));
}

// Shared by the awaiting coroutine and the callback, which may run before, during or long after the
// suspension.
template <typename T>
struct CallbackState {
  Meeting meeting;
  std::optional<T> value;
  std::coroutine_handle<> waiter;
};

template <typename T, typename Start>
class CallbackAwaiter {
 public:
  explicit CallbackAwaiter(Start start) : start_(std::move(start)) {}
  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> waiter) {
    // The frame (and this awaiter) may be gone as soon as the callback resumes it: keep the state.
    std::shared_ptr<CallbackState<T>> state = state_;
    state->waiter = waiter;
    std::move(start_)([state](T value) {
      state->value.emplace(std::move(value));
      if (state->meeting.SecondToArrive()) state->waiter.resume();
    });
    return !state->meeting.SecondToArrive();
  }
  T await_resume() { return std::move(*state_->value); }

 private:
  Start start_;
  std::shared_ptr<CallbackState<T>> state_ = std::make_shared<CallbackState<T>>();
};

}  // namespace internal

// Starts `task` now; `done` gets its value on the thread that completes it. An exception ends the
// process: for tasks that cannot throw, and for programs that have nothing to save.
template <typename T, typename Done>
void Start(Task<T> task, Done done) {
  internal::RunDetached(std::move(task), std::move(done));
}

// The same for any task: `done` gets a Caught<T>.
template <typename T, typename Done>
void StartCatching(Task<T> task, Done done) {
  internal::RunCatching(std::move(task), std::move(done));
}

// Starts `task` now and forgets it. An exception goes to the EscapedHandler.
inline void Detach(Task<void> task) {
  StartCatching(std::move(task), [](Caught<void> caught) {
    if (caught.exception) ReportEscaped(caught.exception);
  });
}

// co_await FromCallback<T>([&](auto done) { operation(..., done); }) -> T.
// `done` is copyable and must be called exactly once, from any thread.
template <typename T, typename StartFn>
auto FromCallback(StartFn start) {
  return internal::CallbackAwaiter<T, StartFn>(std::move(start));
}

}  // namespace komadai
