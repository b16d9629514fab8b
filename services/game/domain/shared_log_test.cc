#include "services/game/domain/shared_log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace komadai::game {
namespace {

using Log = SharedLog<std::string>;

std::vector<std::string> Items(const Log& log) { return {log.begin(), log.end()}; }

Log Filled(int count) {
  Log log;
  for (int i = 0; i < count; ++i) log.push_back(std::to_string(i));
  return log;
}

TEST(SharedLogTest, GrowsBeyondEveryCapacity) {
  const Log log = Filled(1000);
  ASSERT_EQ(log.size(), 1000u);
  EXPECT_EQ(log[0], "0");
  EXPECT_EQ(log[517], "517");
  EXPECT_EQ(log.back(), "999");
  EXPECT_TRUE(Log().empty());
  EXPECT_TRUE(Items(Log()).empty());
}

TEST(SharedLogTest, CopiesShareWhatTheyHave) {
  const Log before = Filled(3);
  Log after = before;
  after.push_back("next");
  EXPECT_EQ(&before[1], &after[1]);
  EXPECT_EQ(Items(before), (std::vector<std::string>{"0", "1", "2"}));
  EXPECT_EQ(Items(after), (std::vector<std::string>{"0", "1", "2", "next"}));
}

TEST(SharedLogTest, TwoContinuationsDoNotMeet) {
  const Log before = Filled(3);
  Log one = before;
  Log other = before;
  one.push_back("one");
  other.push_back("other");
  one.push_back("more");
  EXPECT_EQ(Items(one), (std::vector<std::string>{"0", "1", "2", "one", "more"}));
  EXPECT_EQ(Items(other), (std::vector<std::string>{"0", "1", "2", "other"}));
}

TEST(SharedLogTest, AShortenedCopyLeavesTheOthersAlone) {
  const Log before = Filled(5);
  Log back = before;
  back.Shorten(2);
  back.push_back("again");
  EXPECT_EQ(Items(back), (std::vector<std::string>{"0", "1", "again"}));
  EXPECT_EQ(Items(before), Items(Filled(5)));
}

TEST(SharedLogTest, ManyThreadsContinueTheSameCopy) {
  const Log before = Filled(20);
  std::vector<Log> logs(8, before);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < logs.size(); ++i) {
    threads.emplace_back([&log = logs[i], i] {
      for (int n = 0; n < 100; ++n) log.push_back(std::to_string(i) + "/" + std::to_string(n));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < logs.size(); ++i) {
    ASSERT_EQ(logs[i].size(), 120u);
    EXPECT_EQ(logs[i][19], "19");
    EXPECT_EQ(logs[i][20], std::to_string(i) + "/0");
    EXPECT_EQ(logs[i].back(), std::to_string(i) + "/99");
  }
}

}  // namespace
}  // namespace komadai::game
