#include "libs/base/executor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <stdexcept>

namespace komadai {
namespace {

TEST(BoundedExecutorTest, RunsAcceptedWorkBeforeItStops) {
  std::atomic<int> ran = 0;
  {
    BoundedExecutor executor("test", 2, 100);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(executor.TryPost([&] { ++ran; }));
  }
  EXPECT_EQ(ran, 100);
}

TEST(BoundedExecutorTest, AFullQueueRefusesAtOnce) {
  std::promise<void> release;
  std::promise<void> started;
  std::shared_future<void> gate = release.get_future().share();
  BoundedExecutor executor("test", 1, 1);
  ASSERT_TRUE(executor.TryPost([&] {
    started.set_value();
    gate.wait();
  }));
  started.get_future().wait();
  EXPECT_TRUE(executor.TryPost([] {}));  // waits in the queue
  EXPECT_FALSE(executor.TryPost([] {}));
  EXPECT_EQ(executor.RefusedCount(), 1u);

  std::promise<Result<int>> outcome;
  Start(executor.Run([] { return 1; }), [&](Result<int> value) { outcome.set_value(value); });
  const Result<int> refused = outcome.get_future().get();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().Is(kOverloaded));
  release.set_value();
}

TEST(BoundedExecutorTest, StoppedMeansRefused) {
  BoundedExecutor executor("test", 1, 1);
  executor.Stop();
  EXPECT_FALSE(executor.TryPost([] {}));
}

template <typename Fn>
auto RunAndWait(BoundedExecutor& executor, Fn fn) {
  using Outcome = typename internal::AsResult<std::invoke_result_t<Fn&>>::Type;
  std::promise<Outcome> outcome;
  Start(executor.Run(std::move(fn)), [&](Outcome value) { outcome.set_value(std::move(value)); });
  return outcome.get_future().get();
}

TEST(BoundedExecutorTest, RunAwaitsValuesErrorsAndExceptions) {
  BoundedExecutor executor("test", 2, 8);
  EXPECT_EQ(RunAndWait(executor, [] { return 7; }).value(), 7);
  EXPECT_TRUE(RunAndWait(executor, [] {}).has_value());
  const Result<int> error =
      RunAndWait(executor, []() -> Result<int> { return Error(kUnavailable, "down"); });
  EXPECT_TRUE(error.error().Is(kUnavailable));
  const Result<int> thrown =
      RunAndWait(executor, []() -> int { throw std::runtime_error("boom"); });
  EXPECT_TRUE(thrown.error().Is(kInternal));
}

TEST(BoundedExecutorTest, ManyAwaitingCoroutinesFromManyThreads) {
  BoundedExecutor executor("test", 4, 100000);
  std::atomic<int> sum = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        Start(executor.Run([] { return 1; }), [&](Result<int> value) { sum += value.value(); });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  executor.Stop();
  EXPECT_EQ(sum, 4000);
}

}  // namespace
}  // namespace komadai
