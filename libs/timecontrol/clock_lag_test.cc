// Lag compensation: what an honest player gets back, and that a liar gets no more.
#include <gtest/gtest.h>

#include <algorithm>

#include "libs/base/random.h"
#include "libs/timecontrol/clock.h"
#include "libs/timecontrol/random_control_test.h"

namespace komadai::timecontrol {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

ClockState Running(SideTime time, Millis per_move, Millis per_game) {
  const TimeControl control{.first = time, .second = time, .lag = {per_move, per_game}};
  return Start(control, Side::kFirst, kStart).value();
}

TEST(Lag, IsNotChargedWithinTheQuotaOfAMove) {
  const ClockState state = Running({.main = minutes(1)}, Millis(500), seconds(10));
  const Pressed pressed = Press(state, Side::kFirst, kStart + Millis(5300), seconds(5)).value();
  EXPECT_EQ(pressed.used, seconds(5));
  EXPECT_EQ(pressed.compensated, Millis(300));
  const SideReading reading = Read(pressed.state, kStart + Millis(5300)).first;
  EXPECT_EQ(reading.main_left, seconds(55));
  EXPECT_EQ(reading.used, seconds(5));
  EXPECT_EQ(reading.compensated, Millis(300));
  EXPECT_EQ(Press(state, Side::kFirst, kStart + seconds(9), seconds(5))->used, Millis(8500));
}

TEST(Lag, RunsOutWithTheQuotaOfTheGame) {
  ClockState state = Running({.main = minutes(1)}, Millis(500), Millis(1200));
  Millis total{0};
  TimePoint now = kStart;
  for (int move = 0; move < 8; ++move) {
    now += seconds(2);
    const Pressed pressed = Press(state, state.turn.side, now, Millis(0)).value();
    if (move % 2 == 0) total += pressed.compensated;
    state = pressed.state;
  }
  EXPECT_EQ(total, Millis(1200));
  EXPECT_EQ(Press(state, Side::kFirst, now + seconds(1), Millis(0))->compensated, Millis(0));
}

TEST(Lag, SavesAMoveWhoseLagCoversTheOverrun) {
  const ClockState state = Running({.byoyomi = seconds(30)}, Millis(800), seconds(10));
  EXPECT_EQ(*DeadlineOf(state), kStart + seconds(30) + Millis(800));
  const TimePoint late = kStart + Millis(30500);
  EXPECT_FALSE(IsTimeUp(state, late));
  EXPECT_EQ(Read(state, late).first.period_left, Millis(0)) << "it shows what is left: nothing";
  EXPECT_TRUE(Press(state, Side::kFirst, late, Millis(29900)));
  const Result<Pressed> silent = Press(state, Side::kFirst, late);
  ASSERT_FALSE(silent) << "who reports no lag gets none back";
  EXPECT_TRUE(silent.error().Is(kTimeIsUp));
  const Result<Pressed> slow = Press(state, Side::kFirst, late, Millis(30200));
  ASSERT_FALSE(slow) << "the thinking alone took too long";
  EXPECT_TRUE(slow.error().Is(kTimeIsUp));
  EXPECT_FALSE(Press(state, Side::kFirst, kStart + Millis(30800), Millis(0)));
}

TEST(Lag, IsOfNoInterestWithoutAClock) {
  TimeControl control{.first = {}, .second = {.main = minutes(1)}, .lag = {seconds(1), seconds(9)}};
  const ClockState state = Start(control, Side::kFirst, kStart).value();
  const Pressed pressed = Press(state, Side::kFirst, kStart + seconds(3), Millis(0)).value();
  EXPECT_EQ(pressed.used, seconds(3));
  EXPECT_EQ(pressed.compensated, Millis(0));
}

TEST(Lag, ATakebackGivesTheQuotaBackWithTheTime) {
  const ClockState state = Running({.main = minutes(1)}, Millis(500), Millis(500));
  const ClockState after = Press(state, Side::kFirst, kStart + seconds(2), Millis(0)).value().state;
  const ClockState rewound = Rewind(after, state.turn, kStart + seconds(3)).value();
  EXPECT_EQ(rewound.turn.first.compensated, Millis(0));
  EXPECT_EQ(rewound.turn.first.main_left, minutes(1));
}

class RandomLag : public testing::TestWithParam<std::uint64_t> {};

// For any reports of the players: never more than the quotas, never more than the move took, and
// every millisecond is either charged or compensated.
TEST_P(RandomLag, IsBoundedByMoveGameAndElapsedTime) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 2000; ++game) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " game " + std::to_string(game));
    TimeControl control = RandomControl(random);
    control.lag.per_move = Millis(1) + Below(random, 6);
    control.lag.per_game = control.lag.per_move + Below(random, 30);
    ClockState state = Start(control, Side::kFirst, kStart).value();
    for (int move = 0; move < 60; ++move) {
      const Side mover = state.turn.side;
      const TimePoint at = state.turn_started + Below(random, 25) - Millis(2);
      const Millis elapsed = std::max(at - state.turn_started, Millis(0));
      const Millis reported = Below(random, 40) - Millis(10);
      const Result<Pressed> silent = Press(state, mover, at);
      const Result<Pressed> pressed = Press(state, mover, at, reported);
      ASSERT_TRUE(pressed || !silent) << "a report never hurts";
      ASSERT_FALSE(pressed && IsTimeUp(state, at));
      if (!pressed) break;
      EXPECT_LE(pressed->compensated, control.lag.per_move);
      EXPECT_LE(pressed->compensated, elapsed);
      EXPECT_LE(pressed->compensated, std::max(elapsed - reported, Millis(0)));
      EXPECT_EQ(pressed->used + pressed->compensated, elapsed);
      const SideState& after = pressed->state.turn.of(mover);
      EXPECT_LE(after.compensated, control.lag.per_game);
      EXPECT_EQ(after.compensated, state.turn.of(mover).compensated + pressed->compensated);
      if (HasClock(control.of(mover))) {
        EXPECT_TRUE(!silent || silent->used == elapsed);
        EXPECT_GE(after.main_left, Millis(0));
        EXPECT_GE(after.periods_left,
                  Periods(control.of(mover)) > 0 && after.main_left == Millis(0) ? 1 : 0);
      }
      state = pressed->state;
      if (testing::Test::HasFailure()) return;
    }
    for (const Side side : kSides) EXPECT_LE(state.turn.of(side).compensated, control.lag.per_game);
  }
}

TEST_P(RandomLag, WithoutQuotasAReportChangesNothing) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 2000; ++game) {
    const ClockState state = Start(RandomControl(random), Side::kFirst, kStart).value();
    const TimePoint at = kStart + Below(random, 60);
    const Result<Pressed> silent = Press(state, Side::kFirst, at);
    const Result<Pressed> pressed = Press(state, Side::kFirst, at, Below(random, 60));
    ASSERT_EQ(silent.has_value(), pressed.has_value());
    ASSERT_TRUE(!silent || silent->state == pressed->state);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLag, testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace komadai::timecontrol
