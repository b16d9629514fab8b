#include "services/engine/domain/time_budget.h"

#include <gtest/gtest.h>

#include "services/engine/domain/levels.h"

namespace komadai::engine {
namespace {

SideTime Main(int ms) { return {.main_left = Millis(ms)}; }

SearchRequest Request(Limits limits, std::optional<Clocks> clocks,
                      rules::Side mover = rules::Side::kFirst) {
  SearchRequest request;
  request.limits = limits;
  request.clocks = clocks;
  request.game.side_to_move = mover;
  return request;
}

TEST(TimeBudgetTest, KeepsAnOverheadBackButNeverEverything) {
  EXPECT_EQ(UsableTime(Millis(10'000)), Millis(10'000) - kMoveOverhead);
  EXPECT_EQ(UsableTime(Millis(200)), Millis(100));
  EXPECT_EQ(UsableTime(Millis(0)), Millis(1));
}

TEST(TimeBudgetTest, TheShareOfTheClockIsNeverMoreThanTheClock) {
  for (const int main : {0, 1, 50, 1'000, 60'000, 600'000}) {
    for (const int byoyomi : {0, 100, 1'000, 30'000}) {
      SideTime own{.main_left = Millis(main), .byoyomi = Millis(byoyomi)};
      own.increment = Millis(5'000);  // only comes after the move: may not be spent before
      EXPECT_LE(ShareOfClock(own), UsableTime(own.Available())) << main << "+" << byoyomi;
      EXPECT_GE(ShareOfClock(own), Millis(1));
    }
  }
}

TEST(TimeBudgetTest, ByoyomiIsUsedWhenMainTimeIsGone) {
  EXPECT_GT(ShareOfClock({.byoyomi = Millis(20'000)}), Millis(10'000));
}

TEST(TimeBudgetTest, WaitingIsTakenOffTheMoversClockOnly) {
  const Clocks clocks{Main(1'000), Main(2'000)};
  const Clocks after = AfterWaiting(clocks, rules::Side::kSecond, Millis(300));
  EXPECT_EQ(after[0].main_left, Millis(1'000));
  EXPECT_EQ(after[1].main_left, Millis(1'700));
}

TEST(TimeBudgetTest, WaitingRunsFromMainTimeIntoByoyomi) {
  const Clocks clocks{SideTime{.main_left = Millis(100), .byoyomi = Millis(1'000)}, SideTime{}};
  const SideTime own = AfterWaiting(clocks, rules::Side::kFirst, Millis(400))[0];
  EXPECT_EQ(own.main_left, Millis(0));
  EXPECT_EQ(own.byoyomi, Millis(700));
}

TEST(TimeBudgetTest, WaitingUsesTheFreeDelayFirst) {
  const Clocks clocks{SideTime{.main_left = Millis(1'000), .delay = Millis(500)}, SideTime{}};
  const SideTime own = AfterWaiting(clocks, rules::Side::kFirst, Millis(700))[0];
  EXPECT_EQ(own.delay, Millis(0));
  EXPECT_EQ(own.main_left, Millis(800));
}

TEST(TimeBudgetTest, TheServersCapHoldsWithoutAnyLimit) {
  EXPECT_EQ(Bounded(Request({}, {}), Millis(0), Millis(5'000)).limits.time, Millis(5'000));
  Limits long_limits;
  long_limits.time = Millis(60'000);
  EXPECT_EQ(Bounded(Request(long_limits, {}), Millis(0), Millis(5'000)).limits.time, Millis(5'000));
}

TEST(TimeBudgetTest, ALevelOnAShortClockThinksForAShareOfIt) {
  const Limits limits = LimitsOf(SettingsOf(Level::kMedium));
  const Clocks clocks{Main(8'000), Main(600'000)};
  const SearchRequest bounded = Bounded(Request(limits, clocks), Millis(0), Millis(60'000));
  EXPECT_EQ(bounded.limits.time, Millis(200));
  EXPECT_FALSE(bounded.clocks) << "with depth or nodes limited engines ignore their clock";
}

TEST(TimeBudgetTest, TheStrongestLevelManagesItsOwnClock) {
  const Limits limits = LimitsOf(SettingsOf(Level::kHard));
  const Clocks clocks{Main(600'000), Main(1'000)};
  const SearchRequest bounded =
      Bounded(Request(limits, clocks, rules::Side::kSecond), Millis(100), Millis(60'000));
  ASSERT_TRUE(bounded.clocks);
  EXPECT_EQ((*bounded.clocks)[0].main_left, Millis(600'000));
  EXPECT_EQ((*bounded.clocks)[1].main_left, Millis(900));
  EXPECT_EQ(bounded.limits.time, UsableTime(Millis(900))) << "told to stop before the flag";
}

TEST(LevelsTest, TheTableIsInOrderAndGrowsStronger) {
  for (std::size_t i = 0; i < std::size(kLevels); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(kLevels[i].level), i);
    if (i == 0) continue;
    EXPECT_GE(kLevels[i].time, kLevels[i - 1].time);
    EXPECT_GT(kLevels[i].nodes.value_or(INT64_MAX), kLevels[i - 1].nodes.value_or(INT64_MAX));
    EXPECT_GT(kLevels[i].depth.value_or(INT32_MAX), kLevels[i - 1].depth.value_or(INT32_MAX));
    EXPECT_GT(kLevels[i].skill.value_or(20), kLevels[i - 1].skill.value_or(20));
  }
}

}  // namespace
}  // namespace komadai::engine
