// What holds for every control and every schedule: random games, replayed by the seed in the trace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "libs/base/random.h"
#include "libs/timecontrol/clock.h"
#include "libs/timecontrol/random_control_test.h"

namespace komadai::timecontrol {
namespace {

constexpr int kGames = 3000;
constexpr int kMovesPerGame = 60;

void ExpectSane(const TimeControl& control, const Reading& reading) {
  for (const Side side : kSides) {
    const SideReading& shown = reading.of(side);
    const SideTime& time = control.of(side);
    EXPECT_GE(shown.main_left, Millis(0));
    EXPECT_GE(shown.period_left, Millis(0));
    EXPECT_LE(shown.period_left, time.byoyomi);
    EXPECT_GE(shown.delay_left, Millis(0));
    EXPECT_LE(shown.delay_left, time.delay);
    EXPECT_GE(shown.periods_left, 0);
    EXPECT_LE(shown.periods_left, Periods(time));
    EXPECT_GE(shown.period_index, 0);
    EXPECT_LE(shown.period_index, Periods(time));
    EXPECT_GE(shown.used, Millis(0));
  }
}

// Until the next move, only the time used grows on the clock.
void ExpectOnlyRunsDown(const Reading& before, const Reading& after) {
  for (const Side side : kSides) {
    EXPECT_LE(after.of(side).main_left, before.of(side).main_left);
    EXPECT_LE(after.of(side).periods_left, before.of(side).periods_left);
    EXPECT_GE(after.of(side).period_index, before.of(side).period_index);
    EXPECT_GE(after.of(side).used, before.of(side).used);
  }
  EXPECT_EQ(after.deadline, before.deadline);
}

// An independent account: thinking millisecond by millisecond.
SideState ThinkStepByStep(const SideTime& time, SideState state, Millis thinking) {
  Millis delay = time.delay;
  Millis period = time.byoyomi;
  for (Millis passed{0}; passed < thinking; ++passed) {
    ++state.used;
    if (delay > Millis(0)) {
      --delay;
    } else if (state.main_left > Millis(0)) {
      --state.main_left;
    } else if (time.byoyomi > Millis(0) && --period == Millis(0)) {
      --state.periods_left;
      period = time.byoyomi;
    }
  }
  state.main_left += time.increment;
  return state;
}

class RandomGames : public testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomGames, NeverNegativeNeverGrowsAndUsedEqualsElapsed) {
  SeededRandom random(GetParam());
  for (int game = 0; game < kGames; ++game) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " game " + std::to_string(game));
    const TimeControl control = RandomControl(random);
    ClockState state =
        Start(control, OneIn(random, 2) ? Side::kFirst : Side::kSecond, kStart).value();
    TimePoint latest = kStart;
    for (int move = 0; move < kMovesPerGame; ++move) {
      const Side mover = state.turn.side;
      // Sometimes a little before the turn began.
      const TimePoint at = state.turn_started + Below(random, 25) - Millis(2);
      const Reading at_start = Read(state, state.turn_started);
      const Reading at_press = Read(state, at);
      ExpectSane(control, at_press);
      ExpectOnlyRunsDown(at_start, at_press);
      const SideState expected = ThinkStepByStep(control.of(mover), state.turn.of(mover),
                                                 std::max(at - state.turn_started, Millis(0)));
      const Result<Pressed> pressed = Press(state, mover, at);
      ASSERT_NE(pressed.has_value(), IsTimeUp(state, at)) << "in time or up, never both";
      if (!pressed) break;
      EXPECT_EQ(pressed->state.turn.of(mover), expected);
      latest = std::max(latest, at);
      state = pressed->state;
      EXPECT_EQ(state.turn.first.used + state.turn.second.used, latest - kStart);
      EXPECT_EQ(state.turn.ply, move + 1);
      const SideReading after = Read(state, at).of(mover);
      EXPECT_LE(after.main_left, at_start.of(mover).main_left + control.of(mover).increment);
      EXPECT_TRUE(!DeadlineOf(state) || *DeadlineOf(state) > state.turn_started)
          << "every turn begins with time";
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST_P(RandomGames, ReadingAndDeadlineAgreeAtEveryMillisecond) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 300; ++game) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " game " + std::to_string(game));
    const TimeControl control = RandomControl(random);
    const ClockState state = Start(control, Side::kFirst, kStart).value();
    Reading previous = Read(state, kStart);
    for (Millis passed{0}; passed < Millis(100); ++passed) {
      const Reading reading = Read(state, kStart + passed);
      ExpectSane(control, reading);
      ExpectOnlyRunsDown(previous, reading);
      const SideReading& first = reading.first;
      const bool nothing_left = first.delay_left == Millis(0) && first.main_left == Millis(0) &&
                                first.period_left == Millis(0);
      EXPECT_EQ(IsTimeUp(state, kStart + passed), HasClock(control.first) && nothing_left);
      if (testing::Test::HasFailure()) return;
      previous = reading;
    }
  }
}

TEST_P(RandomGames, RewindBringsBackEveryEarlierTurn) {
  SeededRandom random(GetParam());
  for (int game = 0; game < 300; ++game) {
    SCOPED_TRACE("seed " + std::to_string(GetParam()) + " game " + std::to_string(game));
    ClockState state = Start(RandomControl(random), Side::kFirst, kStart).value();
    std::vector<TurnStart> turns{state.turn};
    while (turns.size() < 20) {
      const TimePoint at = state.turn_started + Below(random, 10);
      const Result<Pressed> pressed = Press(state, state.turn.side, at);
      if (!pressed) break;
      state = pressed->state;
      turns.push_back(state.turn);
    }
    const TurnStart& target = turns[random.Below(turns.size())];
    const TimePoint at = state.turn_started;
    const ClockState rewound = Rewind(state, target, at).value();
    EXPECT_EQ(rewound.turn, target);
    EXPECT_EQ(rewound.turn_started, at);
    EXPECT_EQ(Read(rewound, at).running, target.side);
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGames, testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace komadai::timecontrol
