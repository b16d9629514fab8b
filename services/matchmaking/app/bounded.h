// ForEach: runs a job for each of 0, 1, ... count - 1, at most `width` of them at a time.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "libs/base/task.h"
#include "libs/base/when_all.h"

namespace komadai::matchmaking {

using IndexedJob = std::function<Task<void>(std::size_t)>;

namespace internal {

struct Jobs {
  std::size_t count = 0;
  IndexedJob job;
  std::atomic<std::size_t> next{0};
};

inline Task<bool> WorkOff(std::shared_ptr<Jobs> jobs) {
  for (;;) {
    const std::size_t index = jobs->next.fetch_add(1);
    if (index >= jobs->count) co_return true;
    co_await jobs->job(index);
  }
}

}  // namespace internal

inline Task<void> ForEach(std::size_t count, std::size_t width, IndexedJob job) {
  auto jobs = std::make_shared<internal::Jobs>();
  jobs->count = count;
  jobs->job = std::move(job);
  std::vector<Task<bool>> workers;
  for (std::size_t i = 0; i < width && i < count; ++i) workers.push_back(internal::WorkOff(jobs));
  (void)co_await WhenAll(std::move(workers));
}

}  // namespace komadai::matchmaking
