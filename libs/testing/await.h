// Await(task): runs a Task to its end and returns its value, blocking this thread. Tests only.
#pragma once

#include <future>
#include <type_traits>
#include <utility>

#include "libs/base/task.h"

namespace komadai::testing {

template <typename T>
T Await(Task<T> task) {
  std::promise<T> promise;
  std::future<T> future = promise.get_future();
  if constexpr (std::is_void_v<T>) {
    Start(std::move(task), [&promise] { promise.set_value(); });
  } else {
    Start(std::move(task), [&promise](T value) { promise.set_value(std::move(value)); });
  }
  return future.get();
}

}  // namespace komadai::testing
