#include "libs/timecontrol/clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace komadai::timecontrol {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};

TimeControl Both(SideTime time) { return {.first = time, .second = time}; }
TimeControl FiveMinutesThreePeriods() {
  return Both({.main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3});
}

// Drives a clock by the time each move takes.
class Game {
 public:
  explicit Game(const TimeControl& control, Side to_move = Side::kFirst)
      : state_(Start(control, to_move, kStart).value()), now_(kStart) {}

  // The side to move thinks for `thinking`, then presses.
  void Move(Millis thinking) {
    Result<Pressed> pressed = TryMove(thinking);
    ASSERT_TRUE(pressed) << pressed.error().ToString();
    EXPECT_EQ(pressed->used, thinking);
    state_ = pressed->state;
  }
  Result<Pressed> TryMove(Millis thinking) {
    now_ += thinking;
    return Press(state_, state_.turn.side, now_);
  }
  SideReading Of(Side side) const { return Read(state_, now_).of(side); }
  Reading ReadNow() const { return Read(state_, now_); }
  void Wait(Millis time) { now_ += time; }
  Millis LeftUntilDeadline() const { return *DeadlineOf(state_) - now_; }

  ClockState& state() { return state_; }
  TimePoint now() const { return now_; }

 private:
  ClockState state_;
  TimePoint now_;
};

template <typename T>
void ExpectRefused(const Result<T>& result, const Reason& reason) {
  ASSERT_FALSE(result) << reason.name;
  EXPECT_TRUE(result.error().Is(reason)) << result.error().ToString();
}

TEST(Clock, MainTimeRunsFirst) {
  Game game(FiveMinutesThreePeriods());
  game.Wait(seconds(10));
  const Reading reading = game.ReadNow();
  EXPECT_EQ(reading.running, Side::kFirst);
  EXPECT_EQ(reading.at, game.now());
  EXPECT_EQ(reading.first.main_left, seconds(290));
  EXPECT_EQ(reading.first.period_index, 0);
  EXPECT_EQ(reading.first.periods_left, 3);
  EXPECT_EQ(reading.first.period_left, seconds(30));
  EXPECT_EQ(reading.first.used, seconds(10));
  EXPECT_EQ(reading.second.main_left, minutes(5));
  EXPECT_EQ(reading.second.used, seconds(0));
  EXPECT_EQ(reading.deadline, kStart + minutes(5) + seconds(90));
}

TEST(Clock, AMoveInsideItsPeriodCostsNone) {
  Game game(FiveMinutesThreePeriods());
  game.Move(minutes(5) + seconds(29));  // 29 s into the first period
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 3);
  EXPECT_EQ(game.Of(Side::kFirst).period_index, 1);
  EXPECT_EQ(game.Of(Side::kFirst).period_left, seconds(30));  // the next move has a full one
  game.Move(seconds(1));
  game.Move(seconds(29));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 3);
}

TEST(Clock, EachOverrunUsesAPeriodUp) {
  Game game(FiveMinutesThreePeriods());
  game.Move(minutes(5) + seconds(31));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 2);
  EXPECT_EQ(game.Of(Side::kFirst).period_index, 2);
  game.Move(seconds(1));
  game.Wait(seconds(45));
  EXPECT_EQ(game.Of(Side::kFirst).period_index, 3);  // the second overrun is seen while it happens
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 1);
  EXPECT_EQ(game.Of(Side::kFirst).period_left, seconds(15));
  EXPECT_EQ(game.LeftUntilDeadline(), seconds(15));
}

TEST(Clock, AllPeriodsUsedLoses) {
  Game game(FiveMinutesThreePeriods());
  const Result<Pressed> pressed = game.TryMove(minutes(5) + seconds(90));
  ExpectRefused(pressed, kTimeIsUp);
  EXPECT_EQ(pressed.error().metadata().at("side"), "first");
  EXPECT_EQ(pressed.error().metadata().at("deadline_ms"),
            std::to_string(ToUnixMillis(kStart + minutes(5) + seconds(90))));
}

TEST(Clock, TheDeadlineIsTheFirstInstantThatIsTooLate) {
  for (const TimeControl& control :
       {FiveMinutesThreePeriods(), Both({.main = minutes(1)}), Both({.byoyomi = seconds(30)}),
        Both({.increment = seconds(5)}), Both({.delay = seconds(5)}),
        Both({.main = minutes(1), .increment = seconds(5), .delay = seconds(5)})}) {
    const ClockState state = Start(control, Side::kFirst, kStart).value();
    const TimePoint deadline = *DeadlineOf(state);
    EXPECT_TRUE(Press(state, Side::kFirst, deadline - Millis(1)));
    EXPECT_FALSE(IsTimeUp(state, deadline - Millis(1)));
    ExpectRefused(Press(state, Side::kFirst, deadline), kTimeIsUp);
    EXPECT_TRUE(IsTimeUp(state, deadline));
  }
}

TEST(Clock, APeriodIsOverrunWhenItsWholeLengthHasPassed) {
  Game game(Both({.byoyomi = seconds(30), .byoyomi_periods = 2}));
  game.Move(seconds(30) - Millis(1));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 2);
  game.Move(seconds(1));
  game.Move(seconds(30));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 1);
}

// T76: the mover used to lose on the move that first enters byo-yomi.
TEST(Clock, TheMoveThatEntersByoyomiIsInTime) {
  Game game(Both({.main = seconds(1), .byoyomi = seconds(10)}));
  game.Move(Millis(1500));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, Millis(0));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 1);
}

// T79: every move starts with a full period, with no main time at all.
TEST(Clock, EveryMoveHasAFullPeriodWithoutMainTime) {
  for (const seconds period : {seconds(60), seconds(30)}) {
    Game game(Both({.byoyomi = period, .byoyomi_periods = 1}));
    for (int move = 0; move < 40; ++move) {
      EXPECT_EQ(game.LeftUntilDeadline(), period);
      EXPECT_EQ(game.ReadNow().of(*game.ReadNow().running).period_index, 1);
      game.Move(period - Millis(1));
    }
  }
}

// T80: byo-yomi after main time counts against any opponent.
TEST(Clock, ByoyomiFollowsMainTime) {
  Game game(Both({.main = seconds(90), .byoyomi = seconds(20), .byoyomi_periods = 1}));
  game.Move(seconds(80));
  game.Move(seconds(1));
  game.Wait(seconds(10));
  EXPECT_FALSE(IsTimeUp(game.state(), game.now()));
  EXPECT_EQ(game.LeftUntilDeadline(), seconds(20));
}

TEST(Clock, TheLastPeriodRecurs) {
  Game game(Both({.main = hours(3), .byoyomi = seconds(60), .last_period_recurs = true}));
  game.Move(hours(3) + seconds(10));
  for (int move = 0; move < 200; ++move) game.Move(seconds(59));
  EXPECT_EQ(game.Of(Side::kFirst).periods_left, 1);
}

TEST(Clock, FischerAddsAfterTheMove) {
  Game game(Both({.main = minutes(3), .increment = seconds(2)}));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, minutes(3));  // T94: nothing before the first move
  game.Move(seconds(10));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, seconds(172));
  EXPECT_EQ(game.Of(Side::kSecond).main_left, minutes(3));
}

TEST(Clock, FischerTimeIsUsedBeforeByoyomi) {
  Game game(Both({.main = seconds(10), .byoyomi = seconds(30), .increment = seconds(5)}));
  game.Move(seconds(20));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, seconds(5));
  EXPECT_EQ(game.Of(Side::kFirst).period_index, 0);
  game.Move(seconds(1));
  EXPECT_EQ(game.LeftUntilDeadline(), seconds(35));
}

TEST(Clock, TheDelayOfEveryMoveIsFree) {
  Game game(Both({.main = minutes(1), .delay = seconds(5)}));
  game.Wait(seconds(3));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, minutes(1));
  EXPECT_EQ(game.Of(Side::kFirst).delay_left, seconds(2));
  game.state() = game.TryMove(seconds(2))->state;
  EXPECT_EQ(game.Of(Side::kFirst).main_left, minutes(1));
  EXPECT_EQ(game.Of(Side::kFirst).used, seconds(5));
  game.Move(seconds(7));
  EXPECT_EQ(game.Of(Side::kSecond).main_left, seconds(58));
  EXPECT_EQ(game.LeftUntilDeadline(), seconds(65));
}

// T94: 0 + delay, 0 + byo-yomi, 0 + increment all have time for the first move.
TEST(Clock, TheFirstMoveAlwaysHasTime) {
  EXPECT_EQ(Game(Both({.delay = seconds(5)})).LeftUntilDeadline(), seconds(5));
  EXPECT_EQ(Game(Both({.byoyomi = seconds(5)})).LeftUntilDeadline(), seconds(5));
  EXPECT_EQ(Game(Both({.increment = seconds(5)})).LeftUntilDeadline(), seconds(5));
}

TEST(Clock, PerMoveTimeByDelayNeverRunsOut) {
  Game game(Both({.delay = seconds(5)}));
  for (int move = 0; move < 50; ++move) game.Move(Millis(4999));
}

// T82, T83: after a takeback at move 1 the side to move there runs, with what both had, and flags.
TEST(Clock, RewindRestoresBothSidesAndRuns) {
  Game game(FiveMinutesThreePeriods());
  const TurnStart before_move_1 = game.state().turn;
  game.Move(seconds(20));
  game.Wait(seconds(15));
  const TimePoint at = game.now();
  const Result<ClockState> rewound = Rewind(game.state(), before_move_1, at);
  ASSERT_TRUE(rewound);
  EXPECT_EQ(rewound->turn, before_move_1);
  const Reading reading = Read(*rewound, at);
  EXPECT_EQ(reading.running, Side::kFirst);
  EXPECT_EQ(reading.first.main_left, minutes(5));
  EXPECT_EQ(reading.second.main_left, minutes(5));
  EXPECT_EQ(reading.ply, 0);
  EXPECT_EQ(reading.deadline, at + minutes(5) + seconds(90));
  EXPECT_TRUE(IsTimeUp(*rewound, at + minutes(5) + seconds(90)));
}

TEST(Clock, RewindGivesATurnBackThatHasRunOut) {
  const TimeControl control{{.main = seconds(60)}, {.main = seconds(60)}};
  const ClockState begun = Start(control, Side::kFirst, kStart).value();
  const ClockState pressed = Press(begun, Side::kFirst, kStart + seconds(10)).value().state;
  const TimePoint at = kStart + seconds(100);
  ASSERT_TRUE(IsTimeUp(pressed, at));
  const ClockState same = Rewind(pressed, pressed.turn, at).value();
  EXPECT_EQ(DeadlineOf(same), at + seconds(60));
  EXPECT_EQ(Read(same, at).first.main_left, seconds(50));
  const ClockState earlier = Rewind(pressed, begun.turn, at).value();
  EXPECT_EQ(DeadlineOf(earlier), at + seconds(60));
  EXPECT_EQ(Read(earlier, at).running, Side::kFirst);
  ExpectRefused(Rewind(begun, pressed.turn, at), kPlyNotReached);
  ExpectRefused(Rewind(Stop(pressed, at).value(), begun.turn, at), kClockStopped);
}

// Replicas' clocks differ: the takeback may be stamped before the move that it takes back.
TEST(Clock, ARewindFromBeforeTheTurnRunsFromTheStartOfTheTurn) {
  const ClockState begun = Start(FiveMinutesThreePeriods(), Side::kFirst, kStart).value();
  const ClockState pressed = Press(begun, Side::kFirst, kStart + seconds(10)).value().state;
  const ClockState rewound = Rewind(pressed, begun.turn, kStart + seconds(8)).value();
  EXPECT_EQ(rewound.turn_started, kStart + seconds(10));
  EXPECT_EQ(DeadlineOf(rewound), kStart + seconds(10) + minutes(5) + seconds(90));
}

TEST(Clock, RewindRefusesAPlyAhead) {
  Game game(FiveMinutesThreePeriods());
  ClockState state = game.state();
  state.turn.ply = 1;
  ExpectRefused(Rewind(game.state(), state.turn, kStart), kPlyNotReached);
}

// T84: the waiting side's clock never runs.
TEST(Clock, OnlyTheSideToMoveCanLose) {
  Game game(Both({.main = seconds(10)}));
  game.Move(seconds(9));
  game.Wait(seconds(30));
  const Result<Pressed> pressed = Press(game.state(), Side::kSecond, game.now());
  ExpectRefused(pressed, kTimeIsUp);
  EXPECT_EQ(pressed.error().metadata().at("side"), "second");
  EXPECT_EQ(game.Of(Side::kFirst).main_left, seconds(1));
}

TEST(Clock, TheOtherSideCannotPress) {
  Game game(FiveMinutesThreePeriods());
  ExpectRefused(Press(game.state(), Side::kSecond, kStart), kOtherSideToMove);
}

// T86: a receive stamp from before the start of the turn.
TEST(Clock, AStampBeforeTheTurnCountsAsItsStart) {
  const ClockState state = Start(FiveMinutesThreePeriods(), Side::kFirst, kStart).value();
  const Result<Pressed> pressed = Press(state, Side::kFirst, kStart - Millis(1));
  ASSERT_TRUE(pressed);
  EXPECT_EQ(pressed->used, Millis(0));
  EXPECT_EQ(pressed->state.turn_started, kStart);  // or the millisecond would be charged twice
  EXPECT_EQ(Read(state, kStart - Millis(1)).first.used, Millis(0));
}

TEST(Clock, EachSideHasItsOwnTime) {
  Game game({.first = {.main = minutes(10)}, .second = {.main = minutes(1), .byoyomi = seconds(5)}},
            Side::kSecond);
  EXPECT_EQ(game.LeftUntilDeadline(), seconds(65));
  game.Move(seconds(1));
  EXPECT_EQ(game.LeftUntilDeadline(), minutes(10));
}

TEST(Clock, ASideWithoutAClockNeverLosesButIsMeasured) {
  Game game({.first = {}, .second = {.main = minutes(1)}});
  EXPECT_EQ(DeadlineOf(game.state()), std::nullopt);
  game.Move(hours(100));
  EXPECT_EQ(game.Of(Side::kFirst).used, hours(100));
  EXPECT_EQ(game.Of(Side::kFirst).main_left, Millis(0));
  EXPECT_EQ(game.LeftUntilDeadline(), minutes(1));
}

TEST(Clock, AddedTimeMovesTheDeadlineByItsAmount) {
  Game game(FiveMinutesThreePeriods());
  game.Wait(minutes(5) + seconds(40));  // in the second period
  const Millis left = game.LeftUntilDeadline();
  game.state() = AddTime(game.state(), Side::kFirst, minutes(1), game.now()).value();
  EXPECT_EQ(game.LeftUntilDeadline(), left + minutes(1));
  game.state() = AddTime(game.state(), Side::kSecond, minutes(1), game.now()).value();
  EXPECT_EQ(game.Of(Side::kSecond).main_left, minutes(6));
  EXPECT_EQ(game.LeftUntilDeadline(), left + minutes(1));
}

TEST(Clock, AddedTimeIsBounded) {
  Game game({.first = {.main = kMaxMainTime}, .second = {}});
  ExpectRefused(AddTime(game.state(), Side::kFirst, Millis(999), kStart), kTooMuchTime);
  EXPECT_TRUE(AddTime(game.state(), Side::kFirst, kMaxAddedTime, kStart));
  EXPECT_TRUE(AddTime(game.state(), Side::kFirst, kMinAddedTime, kStart));
  ExpectRefused(AddTime(game.state(), Side::kFirst, kMaxAddedTime + Millis(1), kStart),
                kTooMuchTime);
  ExpectRefused(AddTime(game.state(), Side::kSecond, minutes(1), kStart), kNoClock);
  ClockState state = game.state();
  state.turn.first.main_left = kMaxMainLeft;
  ExpectRefused(AddTime(state, Side::kFirst, minutes(1), kStart), kTooMuchTime);
}

TEST(Clock, NoPlayerHelpsOnceTimeIsUp) {
  Game game(Both({.main = seconds(10)}));
  game.Wait(seconds(10));
  ExpectRefused(AddTime(game.state(), Side::kFirst, minutes(1), game.now()), kTimeIsUp);
}

TEST(Clock, PastTheDeadlineNothingIsLeft) {
  Game game(FiveMinutesThreePeriods());
  game.Wait(hours(1));
  const SideReading reading = game.Of(Side::kFirst);
  EXPECT_EQ(reading.main_left, Millis(0));
  EXPECT_EQ(reading.periods_left, 0);
  EXPECT_EQ(reading.period_index, 3);
  EXPECT_EQ(reading.period_left, Millis(0));
  EXPECT_EQ(reading.used, minutes(5) + seconds(90));
}

TEST(Clock, AStoppedClockShowsTheInstantItStopped) {
  Game game(FiveMinutesThreePeriods());
  game.Wait(minutes(5) + seconds(10));
  const Reading before = game.ReadNow();
  game.state() = Stop(game.state(), game.now()).value();
  game.Wait(hours(1));
  const Reading after = game.ReadNow();
  EXPECT_EQ(after.first, before.first);
  EXPECT_EQ(after.second, before.second);
  EXPECT_EQ(after.at, before.at);
  EXPECT_EQ(after.running, std::nullopt);
  EXPECT_EQ(after.deadline, std::nullopt);
}

TEST(Clock, StoppedIsForGood) {
  Game game(FiveMinutesThreePeriods());
  game.state() = Stop(game.state(), kStart + seconds(1)).value();
  EXPECT_EQ(Stop(game.state(), kStart + seconds(9)).value(), game.state());
  ExpectRefused(Press(game.state(), Side::kFirst, kStart), kClockStopped);
  ExpectRefused(AddTime(game.state(), Side::kFirst, minutes(1), kStart), kClockStopped);
  ExpectRefused(Rewind(game.state(), game.state().turn, kStart), kClockStopped);
}

TEST(Clock, WhatRemainsIsAControlOfItsOwn) {
  Game game(FiveMinutesThreePeriods());
  game.Move(minutes(2));
  game.Move(minutes(5) + seconds(40));  // one period overrun, ten seconds into the next
  game.Wait(seconds(30));
  const TimeControl rest = Remaining(FiveMinutesThreePeriods(), game.ReadNow());
  EXPECT_EQ(rest.first,
            (SideTime{.main = seconds(150), .byoyomi = seconds(30), .byoyomi_periods = 3}));
  EXPECT_EQ(rest.second, (SideTime{.byoyomi = seconds(30), .byoyomi_periods = 2}));
  EXPECT_TRUE(Validate(rest));
}

TEST(Clock, InstantsOutsideTheCalendarAreRefused) {
  for (const TimePoint at :
       {TimePoint::min(), TimePoint(Millis(-1)), kMaxInstant + Millis(1), TimePoint::max()}) {
    ExpectRefused(Start(FiveMinutesThreePeriods(), Side::kFirst, at), kInstantOutOfRange);
    const ClockState state = Start(Both({}), Side::kFirst, kStart).value();
    ExpectRefused(Press(state, Side::kFirst, at), kInstantOutOfRange);
    ExpectRefused(AddTime(state, Side::kFirst, minutes(1), at), kInstantOutOfRange);
    ExpectRefused(Rewind(state, state.turn, at), kInstantOutOfRange);
    ExpectRefused(Stop(state, at), kInstantOutOfRange);
  }
}

TEST(Clock, AnInvalidControlDoesNotStart) {
  ExpectRefused(Start(Both({.main = Millis(-1)}), Side::kFirst, kStart), kMainTimeOutOfRange);
}

}  // namespace
}  // namespace komadai::timecontrol
