#include "libs/base/task.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/task_group.h"

namespace komadai {
namespace {

Task<int> Answer() { co_return 42; }
Task<int> AddOne(Task<int> inner) { co_return 1 + co_await std::move(inner); }

TEST(TaskTest, ValuesTravelThroughNestedTasks) {
  int got = 0;
  Start(AddOne(AddOne(Answer())), [&](int value) { got = value; });
  EXPECT_EQ(got, 44);
}

Task<std::string> Wait(std::function<void(std::function<void(std::string)>)> operation) {
  const std::string value = co_await FromCallback<std::string>([&](auto done) { operation(done); });
  co_return value + "!";
}

TEST(TaskTest, CallbackMayCompleteBeforeTheSuspension) {
  std::string got;
  Start(Wait([](auto done) { done("now"); }), [&](std::string value) { got = value; });
  EXPECT_EQ(got, "now!");
}

TEST(TaskTest, CallbackMayCompleteLaterOnAnotherThread) {
  std::string got;
  std::function<void(std::string)> pending;
  Start(Wait([&](auto done) { pending = done; }), [&](std::string value) { got = value; });
  EXPECT_EQ(got, "");
  std::thread([&] { pending("later"); }).join();
  EXPECT_EQ(got, "later!");
}

Task<int> Loop(int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += co_await Answer();
  co_return sum;
}

TEST(TaskTest, LongLoopsDoNotGrowTheStack) {
  int got = 0;
  Start(Loop(200000), [&](int value) { got = value; });
  EXPECT_EQ(got, 200000 * 42);
}

Task<int> Throw(bool now) {
  if (now) throw std::out_of_range("a bug");
  co_return 1;
}
Task<std::string> Catch() {
  try {
    co_return std::to_string(co_await AddOne(Throw(true)));
  } catch (const std::out_of_range& e) {
    co_return e.what();
  }
}

TEST(TaskTest, AnExceptionTravelsToTheAwaiter) {
  std::string got;
  Start(Catch(), [&](std::string value) { got = value; });
  EXPECT_EQ(got, "a bug");
}

Task<void> ThrowNothingBack() { co_await Throw(true); }

TEST(TaskTest, AnExceptionThatNobodyWaitsForIsReportedAndTheProcessLives) {
  std::vector<std::string> reported;
  SetEscapedHandler([&](const char* what) { reported.push_back(what); });
  Detach(ThrowNothingBack());
  TaskGroup group;
  EXPECT_TRUE(group.Spawn(ThrowNothingBack()));
  group.Stop();  // would hang if the exception left the task running
  SetEscapedHandler(nullptr);
  EXPECT_EQ(reported, (std::vector<std::string>{"a bug", "a bug"}));
}

TEST(TaskTest, AnUnstartedTaskIsFreed) {
  const Task<int> never = Answer();  // AddressSanitizer's leak check is the assertion
  EXPECT_FALSE(never.await_ready());
}

}  // namespace
}  // namespace komadai
