// WhenAll: several tasks at once, whose results are awaited together.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "libs/base/task.h"

namespace komadai {

namespace internal {

template <typename T>
struct Gathering {
  explicit Gathering(std::size_t count) : results(count), open(count) {}
  std::vector<Caught<T>> results;
  std::atomic<std::size_t> open;
};

}  // namespace internal

// Starts every task now, one after the other, and finishes when the last of them has; the results
// are in the order of the tasks. The awaiter resumes in the thread that finished the last one. An
// exception of one task is thrown to the awaiter when all have finished.
template <typename T>
Task<std::vector<T>> WhenAll(std::vector<Task<T>> tasks) {
  std::vector<T> results;
  if (tasks.empty()) co_return results;
  auto gathering = std::make_shared<internal::Gathering<T>>(tasks.size());
  co_await FromCallback<bool>([&](auto done) {
    // The last task to finish may end this frame while the loop still runs: nothing of the frame is
    // touched but `tasks`, which is moved out first.
    std::vector<Task<T>> started = std::move(tasks);
    const std::shared_ptr<internal::Gathering<T>> all = gathering;
    for (std::size_t i = 0; i < started.size(); ++i) {
      StartCatching(std::move(started[i]), [all, i, done](Caught<T> result) {
        all->results[i] = std::move(result);
        if (all->open.fetch_sub(1, std::memory_order_acq_rel) == 1) done(true);
      });
    }
  });
  results.reserve(gathering->results.size());
  for (Caught<T>& result : gathering->results) results.push_back(result.Take());
  co_return results;
}

}  // namespace komadai
