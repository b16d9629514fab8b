#include "libs/base/when_all.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace komadai {
namespace {

using Done = std::function<void(std::string)>;

Task<std::string> Held(std::vector<Done>* held) {
  co_return co_await FromCallback<std::string>([held](auto done) { held->push_back(done); });
}

Task<std::string> Now(std::string text) { co_return text; }

TEST(WhenAllTest, OfNothingFinishesAtOnce) {
  bool finished = false;
  Start(WhenAll(std::vector<Task<std::string>>()), [&](std::vector<std::string> results) {
    EXPECT_TRUE(results.empty());
    finished = true;
  });
  EXPECT_TRUE(finished);
}

TEST(WhenAllTest, StartsAllAndKeepsTheOrderOfTheTasks) {
  std::vector<Done> held;
  std::vector<Task<std::string>> tasks;
  tasks.push_back(Held(&held));
  tasks.push_back(Now("now"));
  tasks.push_back(Held(&held));
  std::optional<std::vector<std::string>> got;
  Start(WhenAll(std::move(tasks)), [&](std::vector<std::string> results) { got = results; });
  ASSERT_EQ(held.size(), 2u);
  held[1]("last");
  EXPECT_FALSE(got.has_value());
  held[0]("first");
  EXPECT_EQ(got, (std::vector<std::string>{"first", "now", "last"}));
}

TEST(WhenAllTest, TasksMayFinishOnDifferentThreads) {
  constexpr int kTasks = 16;
  for (int round = 0; round < 50; ++round) {
    std::vector<Done> held;
    std::vector<Task<std::string>> tasks;
    for (int i = 0; i < kTasks; ++i) tasks.push_back(Held(&held));
    std::vector<std::string> got;
    Start(WhenAll(std::move(tasks)), [&](std::vector<std::string> results) { got = results; });
    ASSERT_EQ(held.size(), static_cast<std::size_t>(kTasks));
    std::vector<std::thread> threads;
    for (int i = 0; i < kTasks; ++i) {
      threads.emplace_back([&held, i] { held[static_cast<std::size_t>(i)](std::to_string(i)); });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(got.size(), static_cast<std::size_t>(kTasks));
    EXPECT_EQ(got[kTasks - 1], std::to_string(kTasks - 1));
  }
}

Task<std::string> Throw() {
  throw std::out_of_range("a bug");
  co_return "";
}
Task<std::string> CatchOf(std::vector<Task<std::string>> tasks) {
  try {
    co_await WhenAll(std::move(tasks));
    co_return "nothing thrown";
  } catch (const std::out_of_range& e) {
    co_return e.what();
  }
}

TEST(WhenAllTest, AnExceptionIsThrownToTheAwaiterWhenAllHaveFinished) {
  std::function<void(std::string)> pending;
  std::vector<Task<std::string>> tasks;
  tasks.push_back(Throw());
  tasks.push_back([](auto& done) -> Task<std::string> {
    co_return co_await FromCallback<std::string>([&](auto resume) { done = resume; });
  }(pending));
  std::string got;
  Start(CatchOf(std::move(tasks)), [&](std::string value) { got = value; });
  EXPECT_EQ(got, "");
  pending("late");
  EXPECT_EQ(got, "a bug");
}

}  // namespace
}  // namespace komadai
