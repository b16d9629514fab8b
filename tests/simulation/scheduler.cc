#include "tests/simulation/scheduler.h"

#include <algorithm>
#include <utility>

namespace komadai::simulation {

void Scheduler::After(Millis delay, std::function<void()> step) {
  KOMADAI_CHECK(delay >= Millis(0));
  // Random, and unique so that the order never depends on the heap.
  const std::uint64_t order = (dice_.Next() << 32) | (++added_ & 0xFFFFFFFF);
  heap_.push_back({now_ + delay, order, std::move(step)});
  std::push_heap(heap_.begin(), heap_.end(), Later);
}

bool Scheduler::Step() {
  std::function<void()> step;
  if (!next_.empty()) {
    step = std::move(next_.front());
    next_.pop_front();
  } else if (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), Later);
    now_ = heap_.back().at;
    fingerprint_ = (fingerprint_ ^ heap_.back().order) * 1099511628211ull;
    step = std::move(heap_.back().step);
    heap_.pop_back();
  } else {
    return false;
  }
  ++steps_;
  fingerprint_ = (fingerprint_ ^ static_cast<std::uint64_t>(ToUnixMillis(now_))) * 1099511628211ull;
  step();
  return true;
}

void Scheduler::Clear() {
  next_.clear();
  heap_.clear();
}

}  // namespace komadai::simulation
