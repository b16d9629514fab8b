// Pauses and reported thinking time, as commands that can be repeated.
#include <gtest/gtest.h>

#include <string>

#include "services/clock/domain/live_clock.h"

namespace komadai::clock {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};

LiveClock NewClock(timecontrol::LagCompensation lag = {}) {
  const timecontrol::SideTime time{
      .main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  return StartClock({.first = time, .second = time, .lag = lag}, Side::kFirst, kStart).value();
}

Decision Do(LiveClock& clock, const Command& command,
            const std::optional<PressRecord>& record = std::nullopt) {
  Decision decision = Decide(clock, command, record).value();
  clock = decision.clock;
  return decision;
}

PressCommand Press(int ply, TimePoint at) {
  return {.ply = ply, .side = ply % 2 == 0 ? Side::kFirst : Side::kSecond, .at = at};
}

TEST(LiveClockPause, StandsStillAndRunsOn) {
  LiveClock clock = NewClock();
  Do(clock, Press(0, kStart + seconds(7)));
  const Decision paused = Do(clock, PauseCommand{"pause-001", 1, kStart + seconds(17)});
  EXPECT_TRUE(paused.changed);
  EXPECT_TRUE(paused.reading.paused);
  EXPECT_EQ(paused.reading.second.main_left, minutes(5) - seconds(10));
  EXPECT_EQ(ExpiryOf("g", clock), std::nullopt);
  const Result<Decision> press = Decide(clock, Press(1, kStart + seconds(20)), std::nullopt);
  ASSERT_FALSE(press);
  EXPECT_TRUE(press.error().Is(timecontrol::kClockPaused));
  const Decision resumed = Do(clock, ResumeCommand{"resume-01", 1, kStart + minutes(60)});
  EXPECT_TRUE(resumed.changed);
  EXPECT_EQ(resumed.reading.running, Side::kSecond);
  const Decision pressed = Do(clock, Press(1, kStart + minutes(60) + seconds(5)));
  EXPECT_EQ(pressed.used, seconds(15));
}

TEST(LiveClockPause, EachRequestCountsOnce) {
  LiveClock clock = NewClock();
  const PauseCommand pause{"pause-001", 0, kStart + seconds(10)};
  const ResumeCommand resume{"resume-01", 0, kStart + seconds(70)};
  Do(clock, pause);
  EXPECT_FALSE(Do(clock, pause).changed);
  Do(clock, resume);
  EXPECT_FALSE(Do(clock, resume).changed);
  EXPECT_FALSE(Do(clock, pause).changed) << "a late repeat does not pause the game again";
  EXPECT_EQ(clock.state.paused, std::nullopt);
}

TEST(LiveClockPause, APressThatTheGameDidNotTakeIsUndone) {
  LiveClock clock = NewClock();
  const Decision pressed = Do(clock, Press(0, kStart + seconds(40)));
  const PauseCommand pause{"pause-001", 0, kStart + seconds(30)};
  EXPECT_EQ(RecordNeeded(clock, pause), std::nullopt) << "the clock knows its last press";
  LiveClock one = clock;
  const Decision paused = Do(one, pause);
  EXPECT_EQ(paused.reading.ply, 0);
  EXPECT_EQ(paused.reading.first.used, seconds(30));
  EXPECT_EQ(one.last_press, std::nullopt);
  Do(clock, Press(1, kStart + seconds(50)));
  EXPECT_EQ(RecordNeeded(clock, pause), 0);
  EXPECT_FALSE(Decide(clock, pause, std::nullopt));
  EXPECT_EQ(Do(clock, pause, pressed.record).reading.ply, 0);
  EXPECT_EQ(clock, one);
}

TEST(LiveClockPause, AnotherPlyIsStale) {
  LiveClock clock = NewClock();
  const Result<Decision> ahead =
      Decide(clock, PauseCommand{"pause-001", 1, kStart + seconds(1)}, std::nullopt);
  ASSERT_FALSE(ahead);
  EXPECT_TRUE(ahead.error().Is(kStalePly));
  Do(clock, PauseCommand{"pause-001", 0, kStart + seconds(1)});
  const Result<Decision> other =
      Decide(clock, ResumeCommand{"resume-01", 1, kStart + seconds(2)}, std::nullopt);
  ASSERT_FALSE(other);
  EXPECT_TRUE(other.error().Is(kStalePly));
}

TEST(LiveClockLag, ARepeatGetsTheFirstAnswerWhateverItReports) {
  LiveClock clock = NewClock({.per_move = Millis(500), .per_game = seconds(10)});
  PressCommand press = Press(0, kStart + seconds(5));
  press.thinking = Millis(4800);
  const Decision first = Do(clock, press);
  EXPECT_EQ(first.used, Millis(4800));
  EXPECT_EQ(first.reading.first.compensated, Millis(200));
  press.thinking = Millis(0);
  EXPECT_EQ(Do(clock, press).used, first.used);
  Do(clock, Press(1, kStart + seconds(6)));
  EXPECT_EQ(Do(clock, press, first.record).reading, first.reading);
}

TEST(LiveClockPause, APauseFromBeforeTheDeadlineUndoesAFallenFlag) {
  LiveClock clock = NewClock();
  clock.flag_fallen = true;
  Do(clock, PauseCommand{"pause-001", 0, ExpiryOf("g", clock)->deadline - Millis(1)});
  Do(clock, ResumeCommand{"resume-01", 0, kStart + minutes(60)});
  EXPECT_TRUE(Do(clock, Press(0, kStart + minutes(60))).changed);
}

}  // namespace
}  // namespace komadai::clock
