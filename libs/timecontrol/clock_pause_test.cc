// Pauses: a paused game is the same game, only later.
#include <gtest/gtest.h>

#include "libs/base/random.h"
#include "libs/timecontrol/clock.h"
#include "libs/timecontrol/random_control_test.h"

namespace komadai::timecontrol {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

ClockState FiveMinutes() {
  const SideTime time{.main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  return Start({.first = time, .second = time}, Side::kFirst, kStart).value();
}

template <typename T>
void ExpectRefused(const Result<T>& result, const Reason& reason) {
  ASSERT_FALSE(result) << reason.name;
  EXPECT_TRUE(result.error().Is(reason)) << result.error().ToString();
}

TEST(Pause, APausedClockStandsStill) {
  const ClockState paused = Pause(FiveMinutes(), kStart + seconds(20)).value();
  const Reading then = Read(paused, kStart + seconds(20));
  EXPECT_TRUE(then.paused);
  EXPECT_EQ(then.running, std::nullopt);
  EXPECT_EQ(then.deadline, std::nullopt);
  EXPECT_EQ(then.first.main_left, minutes(5) - seconds(20));
  const Reading later = Read(paused, kStart + hours(100));
  EXPECT_EQ(later.first, then.first);
  EXPECT_EQ(later.second, then.second);
  EXPECT_FALSE(IsTimeUp(paused, kStart + hours(100)));
}

// A message may be older than the move that began the turn: the turn stands still from its start.
TEST(Pause, APauseFromBeforeTheTurnBeginsWithTheTurn) {
  const ClockState moved =
      Press(FiveMinutes(), Side::kFirst, kStart + seconds(30), std::nullopt).value().state;
  const ClockState paused = Pause(moved, kStart + seconds(10)).value();
  const ClockState resumed = Resume(paused, kStart + seconds(100)).value();
  EXPECT_EQ(*DeadlineOf(resumed) - *DeadlineOf(moved), seconds(70));
  EXPECT_EQ(Read(resumed, kStart + seconds(101)).second.main_left, minutes(5) - seconds(1));
}

TEST(Pause, NothingButReadingResumingAndStoppingIsPossible) {
  const ClockState paused = Pause(FiveMinutes(), kStart + seconds(20)).value();
  const TimePoint at = kStart + seconds(30);
  ExpectRefused(Press(paused, Side::kFirst, at), kClockPaused);
  ExpectRefused(AddTime(paused, Side::kFirst, minutes(1), at), kClockPaused);
  ExpectRefused(Rewind(paused, paused.turn, at), kClockPaused);
  ExpectRefused(Pause(paused, at), kClockPaused);
  ExpectRefused(Resume(FiveMinutes(), at), kClockNotPaused);
  const ClockState stopped = Stop(paused, at).value();
  EXPECT_EQ(Read(stopped, at).first.used, seconds(20));
  EXPECT_FALSE(Read(stopped, at).paused);
  ExpectRefused(Resume(stopped, at), kClockStopped);
  ExpectRefused(Pause(stopped, at), kClockStopped);
}

TEST(Pause, ComesTooLateOnceTimeIsUp) {
  ExpectRefused(Pause(FiveMinutes(), *DeadlineOf(FiveMinutes())), kTimeIsUp);
}

TEST(Pause, InstantsBeforeTheTurnAndBeforeThePauseCountAsThose) {
  const ClockState early = Pause(FiveMinutes(), kStart - seconds(5)).value();
  EXPECT_EQ(Read(early, kStart).first.used, Millis(0));
  const ClockState paused = Pause(FiveMinutes(), kStart + seconds(20)).value();
  const ClockState resumed = Resume(paused, kStart + seconds(10)).value();
  EXPECT_EQ(Read(resumed, kStart + seconds(20)).first.used, seconds(20));
  ExpectRefused(Pause(FiveMinutes(), TimePoint(Millis(-1))), kInstantOutOfRange);
  ExpectRefused(Resume(paused, kMaxInstant + Millis(1)), kInstantOutOfRange);
}

class RandomPauses : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPauses, MakeNoDifferenceButThatEverythingIsLater) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 1500; ++game) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " game " + std::to_string(game));
    const TimeControl control = RandomControl(random);
    ClockState straight = Start(control, Side::kFirst, kStart).value();
    ClockState paused = straight;
    Millis shift{0};
    for (int move = 0; move < 40; ++move) {
      const Side mover = straight.turn.side;
      TimePoint now = straight.turn_started;
      for (std::uint64_t pauses = random.Below(3); pauses > 0; --pauses) {
        now += Below(random, 10);
        Result<ClockState> pause = Pause(paused, now + shift);
        ASSERT_EQ(pause.has_value(), !IsTimeUp(straight, now));
        if (!pause) break;
        const Millis length = Below(random, 1000);
        const TimePoint until = now + shift + length;
        ASSERT_EQ(Read(*pause, until).of(mover), Read(straight, now).of(mover));
        const Reading standing = Read(*pause, until);
        paused = Resume(*pause, until).value();
        ASSERT_EQ(RunFrom(control, standing, mover, until), Read(paused, until));
        shift += length;
      }
      const std::optional<TimePoint> deadline = DeadlineOf(straight);
      ASSERT_EQ(DeadlineOf(paused), deadline ? std::optional(*deadline + shift) : std::nullopt);
      now += Below(random, 12);
      const Result<Pressed> a = Press(straight, mover, now);
      const Result<Pressed> b = Press(paused, mover, now + shift);
      ASSERT_EQ(a.has_value(), b.has_value());
      if (!a) break;
      ASSERT_EQ(a->used, b->used);
      ASSERT_EQ(a->state.turn, b->state.turn);
      straight = a->state;
      paused = b->state;
      ASSERT_EQ(paused.turn_started, straight.turn_started + shift);
    }
  }
}

TEST_P(RandomPauses, ATurnTakenBackToReadsAsItBegan) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 500; ++game) {
    const TimeControl control = RandomControl(random);
    ClockState state = Start(control, Side::kFirst, kStart).value();
    const ClockState begun = state;
    const Reading at_start = Read(state, kStart);
    const Result<Pressed> pressed = Press(state, Side::kFirst, kStart + Below(random, 20));
    if (!pressed) continue;
    const TimePoint at = pressed->state.turn_started;
    const ClockState rewound = Rewind(pressed->state, begun.turn, at).value();
    EXPECT_EQ(RunFrom(control, at_start, Side::kFirst, at), Read(rewound, at));
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomPauses, testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace komadai::timecontrol
