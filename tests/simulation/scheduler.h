// Scheduler: virtual time and the one queue of everything that will happen in a simulation.
//
// Single-threaded. Steps of the same millisecond run in random order, so that every interleaving a
// real network could produce has its schedule. Time passes only between steps.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "libs/base/time.h"
#include "tests/simulation/dice.h"

namespace komadai::simulation {

class Scheduler final : public TimeSource {
 public:
  explicit Scheduler(Dice& dice) : dice_(dice) {}
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  TimePoint Now() const override { return now_; }
  // Virtual time since the start.
  Millis Elapsed() const { return now_ - kStart; }

  // `delay` is at least zero.
  void After(Millis delay, std::function<void()> step);
  // As soon as the step that is running has ended, before anything else.
  void Next(std::function<void()> step) { next_.push_back(std::move(step)); }

  // Runs one step; false if there is none.
  bool Step();
  // Forgets all that has not happened yet.
  void Clear();

  std::uint64_t steps() const { return steps_; }
  // Of the whole run so far: equal runs have equal fingerprints.
  std::uint64_t fingerprint() const { return fingerprint_; }

 private:
  static constexpr TimePoint kStart{Millis(std::int64_t{1'700'000'000'000})};
  struct Entry {
    TimePoint at;
    std::uint64_t order = 0;  // among those of the same instant
    std::function<void()> step;
  };
  static bool Later(const Entry& a, const Entry& b) {
    return a.at != b.at ? a.at > b.at : a.order > b.order;
  }

  Dice& dice_;
  TimePoint now_ = kStart;
  std::deque<std::function<void()>> next_;
  std::vector<Entry> heap_;
  std::uint64_t added_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t fingerprint_ = 0;
};

}  // namespace komadai::simulation
