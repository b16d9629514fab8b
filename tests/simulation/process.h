// Process: one simulated process from its start to its crash, and what its coroutines wait for.
//
// A crash ends every wait at once, with a failure. The coroutines then run to their end and find
// that nothing they try has any effect, since each new wait of a dead process is over before it
// began and no message or commit leaves it. So a crash looks from outside as if they had stopped
// where they were, and no frame is left behind.
#pragma once

#include <coroutine>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/task.h"
#include "tests/simulation/environment.h"

namespace komadai::simulation {

class Process;

// An element of a Process's list of waits.
class Waiting {
 public:
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;
  virtual ~Waiting() { Unlink(); }

 protected:
  Waiting() = default;
  void LinkBefore(Waiting& other) {
    previous_ = other.previous_;
    next_ = &other;
    previous_->next_ = this;
    next_->previous_ = this;
  }
  void Unlink() {
    previous_->next_ = next_;
    next_->previous_ = previous_;
    previous_ = next_ = this;
  }

 private:
  friend Process;
  virtual void Abandon() {}

  Waiting* previous_ = this;
  Waiting* next_ = this;
};

class Process {
 public:
  // `crash` takes the process down; it is called between two steps.
  Process(Environment& environment, std::string name, std::function<void()> crash = {});
  ~Process() { Kill(); }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  const std::string& name() const { return name_; }
  Environment& environment() { return environment_; }
  bool alive() const { return *pulse_; }
  // Outlives the process and tells whether it is alive.
  std::shared_ptr<const bool> pulse() const { return pulse_; }

  // A step of what the process does: perhaps it dies here. True: it does, as soon as the running
  // step has ended, or it is dead already.
  bool MayCrash();
  // Ends every wait and calls what AtDeath() was given.
  void Kill();
  void AtDeath(std::function<void()> fn) { at_death_.push_back(std::move(fn)); }

  // A timer that dies with the process.
  void After(Millis delay, std::function<void()> fn);
  // False: the process has died meanwhile.
  Task<bool> Sleep(Millis delay);

 private:
  template <typename T>
  friend class Wait;
  class Head final : public Waiting {};

  Environment& environment_;
  const std::string name_;
  const std::function<void()> crash_;
  const std::shared_ptr<bool> pulse_ = std::make_shared<bool>(true);
  bool dying_ = false;
  Head waits_;
  std::vector<std::function<void()>> at_death_;
};

// What one coroutine of a process waits for: the first answer counts, later ones are dropped.
template <typename T>
class Wait final : public Waiting {
 public:
  // `abandoned` is the answer if the process dies first.
  static std::shared_ptr<Wait> In(Process& process, T abandoned) {
    auto wait = std::make_shared<Wait>(std::move(abandoned));
    if (process.alive()) {
      wait->LinkBefore(process.waits_);
    } else {
      wait->Abandon();
    }
    return wait;
  }
  explicit Wait(T abandoned) : abandoned_(std::move(abandoned)) {}

  void Answer(T value) {
    if (value_) return;
    value_.emplace(std::move(value));
    Unlink();
    if (waiter_) std::exchange(waiter_, nullptr).resume();
  }
  bool answered() const { return value_.has_value(); }

  // co_await wait->Over() -> T, once.
  auto Over() {
    struct Awaiter {
      Wait* wait;
      bool await_ready() const noexcept { return wait->value_.has_value(); }
      void await_suspend(std::coroutine_handle<> waiter) noexcept { wait->waiter_ = waiter; }
      T await_resume() { return std::move(*wait->value_); }
    };
    return Awaiter{this};
  }

 private:
  void Abandon() override { Answer(std::move(abandoned_)); }

  T abandoned_;
  std::optional<T> value_;
  std::coroutine_handle<> waiter_;
};

// The value of a task that never waits.
template <typename T>
T Immediately(Task<T> task) {
  std::optional<T> value;
  Start(std::move(task), [&value](T result) { value.emplace(std::move(result)); });
  KOMADAI_CHECK(value.has_value());
  return std::move(*value);
}

}  // namespace komadai::simulation
