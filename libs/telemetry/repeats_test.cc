#include "libs/telemetry/repeats.h"

#include <gtest/gtest.h>

namespace komadai::telemetry {
namespace {

class RepeatsTest : public ::testing::Test {
 protected:
  void PassBurst(std::string_view kind) {
    for (int i = 0; i < Repeats::kBurst; ++i) EXPECT_EQ(repeats_.Pass(kind, now_), 0);
  }

  Repeats repeats_;
  TimePoint now_ = FromUnixMillis(1'700'000'000'000);
};

TEST_F(RepeatsTest, TheFirstLinesOfAKindPassAndThenOneASecond) {
  PassBurst("a");
  EXPECT_FALSE(repeats_.Pass("a", now_));
  EXPECT_FALSE(repeats_.Pass("a", now_ + Millis(999)));
  EXPECT_TRUE(repeats_.Pass("a", now_ + Millis(1000)));
  EXPECT_FALSE(repeats_.Pass("a", now_ + Millis(1000)));
}

TEST_F(RepeatsTest, ALineSaysHowManyWereLeftOutBeforeIt) {
  PassBurst("a");
  for (int i = 0; i < 7; ++i) EXPECT_FALSE(repeats_.Pass("a", now_));
  EXPECT_EQ(repeats_.Pass("a", now_ + Millis(2000)), 7);
  EXPECT_EQ(repeats_.Pass("a", now_ + Millis(2000)), 0);
}

TEST_F(RepeatsTest, KindsDoNotTakeEachOthersLines) {
  PassBurst("a");
  EXPECT_FALSE(repeats_.Pass("a", now_));
  PassBurst("b");
}

TEST_F(RepeatsTest, KindsWithoutEndShareOneAllowance) {
  for (std::size_t i = 0; i < Repeats::kMaxKinds; ++i) {
    EXPECT_TRUE(repeats_.Pass(std::to_string(i), now_));
  }
  int passed = 0;
  for (int i = 0; i < 100; ++i) passed += repeats_.Pass("more " + std::to_string(i), now_) ? 1 : 0;
  EXPECT_EQ(passed, Repeats::kBurst);
}

TEST_F(RepeatsTest, AClockThatGoesBackSilencesNothingForLong) {
  PassBurst("a");
  EXPECT_FALSE(repeats_.Pass("a", now_ - Millis(3'600'000)));
  EXPECT_TRUE(repeats_.Pass("a", now_ - Millis(3'600'000) + Millis(1000)));
}

}  // namespace
}  // namespace komadai::telemetry
