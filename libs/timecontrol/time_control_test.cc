#include "libs/timecontrol/time_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace komadai::timecontrol {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

TimeControl Both(SideTime time) { return {.first = time, .second = time}; }

void ExpectRefused(const TimeControl& control, const Reason& reason, const char* side) {
  const Status status = Validate(control);
  ASSERT_FALSE(status) << reason.name;
  EXPECT_TRUE(status.error().Is(reason)) << status.error().ToString();
  EXPECT_EQ(status.error().metadata().at("side"), side);
}

TEST(TimeControl, UsualControlsAreValid) {
  EXPECT_TRUE(Validate(Both({})));
  EXPECT_TRUE(Validate(Both({.main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3})));
  EXPECT_TRUE(
      Validate(Both({.main = minutes(300), .byoyomi = seconds(60), .last_period_recurs = true})));
  EXPECT_TRUE(Validate(Both({.main = minutes(3), .increment = seconds(2)})));
  EXPECT_TRUE(Validate(Both({.main = minutes(3), .delay = seconds(5)})));
  EXPECT_TRUE(Validate(Both({.main = kMaxMainTime,
                             .byoyomi = kMaxByoyomi,
                             .byoyomi_periods = kMaxByoyomiPeriods,
                             .increment = kMaxIncrement,
                             .delay = kMaxDelay})));
}

TEST(TimeControl, LagQuotasAreBoundedAndComeTogether) {
  const auto valid = [](Millis per_move, Millis per_game) {
    TimeControl control = Both({.main = minutes(5)});
    control.lag = {per_move, per_game};
    const Status status = Validate(control);
    EXPECT_TRUE(status || status.error().Is(kLagOutOfRange)) << status.error().ToString();
    return status.has_value();
  };
  EXPECT_TRUE(valid(Millis(0), Millis(0)));
  EXPECT_TRUE(valid(Millis(500), Millis(500)));
  EXPECT_TRUE(valid(kMaxLagPerMove, kMaxLagPerGame));
  EXPECT_FALSE(valid(kMaxLagPerMove + Millis(1), kMaxLagPerGame));
  EXPECT_FALSE(valid(kMaxLagPerMove, kMaxLagPerGame + Millis(1)));
  EXPECT_FALSE(valid(Millis(500), Millis(499)));
  EXPECT_FALSE(valid(Millis(500), Millis(0)));
  EXPECT_FALSE(valid(Millis(0), Millis(500)));
  EXPECT_FALSE(valid(Millis(-1), Millis(0)));
  EXPECT_FALSE(valid(Millis(-1), Millis(-1)));
}

TEST(TimeControl, EachLimitHasItsReason) {
  const Millis one(1);
  ExpectRefused(Both({.main = kMaxMainTime + one}), kMainTimeOutOfRange, "first");
  ExpectRefused(Both({.main = -one}), kMainTimeOutOfRange, "first");
  ExpectRefused(Both({.byoyomi = kMaxByoyomi + one}), kByoyomiOutOfRange, "first");
  ExpectRefused(Both({.byoyomi = -one}), kByoyomiOutOfRange, "first");
  ExpectRefused(Both({.byoyomi = one, .byoyomi_periods = kMaxByoyomiPeriods + 1}),
                kPeriodsOutOfRange, "first");
  ExpectRefused(Both({.byoyomi = one, .byoyomi_periods = -1}), kPeriodsOutOfRange, "first");
  ExpectRefused(Both({.increment = kMaxIncrement + one}), kIncrementOutOfRange, "first");
  ExpectRefused(Both({.increment = -one}), kIncrementOutOfRange, "first");
  ExpectRefused(Both({.delay = kMaxDelay + one}), kDelayOutOfRange, "first");
  ExpectRefused(Both({.delay = -one}), kDelayOutOfRange, "first");
}

TEST(TimeControl, PeriodsNeedALength) {
  ExpectRefused(Both({.main = minutes(5), .byoyomi_periods = 3}), kPeriodsWithoutByoyomi, "first");
  ExpectRefused(Both({.main = minutes(5), .last_period_recurs = true}), kPeriodsWithoutByoyomi,
                "first");
}

TEST(TimeControl, TheSecondSideIsCheckedToo) {
  ExpectRefused({.first = {.main = minutes(5)}, .second = {.main = Millis(-1)}},
                kMainTimeOutOfRange, "second");
}

TEST(TimeControl, ByoyomiWithoutACountIsOnePeriod) {
  EXPECT_EQ(Periods({.byoyomi = seconds(60)}), 1);
  EXPECT_EQ(Periods({.byoyomi = seconds(30), .byoyomi_periods = 3}), 3);
  EXPECT_EQ(Periods({.main = minutes(5)}), 0);
}

TEST(TimeControl, OnlyAnIncrementGivesTimeForTheFirstMove) {
  EXPECT_EQ(InitialMainTime({.increment = seconds(10)}), seconds(10));
  EXPECT_EQ(InitialMainTime({.increment = seconds(10), .delay = seconds(5)}), seconds(0));
  EXPECT_EQ(InitialMainTime({.byoyomi = seconds(5), .increment = seconds(10)}), seconds(0));
  EXPECT_EQ(InitialMainTime({.main = minutes(1), .increment = seconds(10)}), minutes(1));
}

}  // namespace
}  // namespace komadai::timecontrol
