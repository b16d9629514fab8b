#include "services/clock/domain/live_clock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace komadai::clock {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};

timecontrol::TimeControl Control() {
  const timecontrol::SideTime time{
      .main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  return {.first = time, .second = time};
}

LiveClock NewClock() { return StartClock(Control(), Side::kFirst, kStart).value(); }

Decision Do(LiveClock& clock, const Command& command,
            const std::optional<PressRecord>& record = std::nullopt) {
  Decision decision = Decide(clock, command, record).value();
  clock = decision.clock;
  return decision;
}

PressCommand Press(int ply, TimePoint at) {
  return {.ply = ply, .side = ply % 2 == 0 ? Side::kFirst : Side::kSecond, .at = at};
}

void ExpectRefused(const LiveClock& clock, const Command& command, const Reason& reason,
                   const std::optional<PressRecord>& record = std::nullopt) {
  const Result<Decision> decision = Decide(clock, command, record);
  ASSERT_FALSE(decision) << reason.name;
  EXPECT_TRUE(decision.error().Is(reason)) << decision.error().ToString();
}

TEST(LiveClock, PressStartsTheOtherSide) {
  LiveClock clock = NewClock();
  const Decision decision = Do(clock, Press(0, kStart + seconds(7)));
  EXPECT_TRUE(decision.changed);
  EXPECT_EQ(decision.used, seconds(7));
  EXPECT_EQ(decision.reading.running, Side::kSecond);
  EXPECT_EQ(decision.reading.ply, 1);
  EXPECT_EQ(decision.reading.first.main_left, minutes(5) - seconds(7));
  ASSERT_TRUE(decision.record);
  EXPECT_EQ(decision.record->before.ply, 0);
}

TEST(LiveClock, TheSamePressAgainGetsTheSameAnswer) {
  LiveClock clock = NewClock();
  const Decision first = Do(clock, Press(0, kStart + seconds(7)));
  // A retry reaches the server later; what counts is the first.
  const Decision again = Do(clock, Press(0, kStart + minutes(20)));
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.used, first.used);
  EXPECT_EQ(again.reading, first.reading);
}

TEST(LiveClock, AnOldPressGetsItsAnswerFromItsRecord) {
  LiveClock clock = NewClock();
  const Decision first = Do(clock, Press(0, kStart + seconds(7)));
  Do(clock, Press(1, kStart + seconds(9)));
  const Command repeat = Press(0, kStart + seconds(20));
  EXPECT_EQ(RecordNeeded(clock, repeat), 0);
  const Decision again = Do(clock, repeat, first.record);
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.reading, first.reading);
  EXPECT_EQ(again.used, first.used);
}

TEST(LiveClock, ARepeatIsAnsweredOnAStoppedClockToo) {
  LiveClock clock = NewClock();
  const Decision first = Do(clock, Press(0, kStart + seconds(7)));
  Do(clock, StopCommand{.at = kStart + seconds(8)});
  EXPECT_EQ(Do(clock, Press(0, kStart + seconds(9))).reading, first.reading);
  ExpectRefused(clock, Press(1, kStart + seconds(9)), timecontrol::kClockStopped);
}

TEST(LiveClock, PressesOfOtherPliesAreStale) {
  LiveClock clock = NewClock();
  ExpectRefused(clock, Press(1, kStart), kStalePly);
  Do(clock, Press(0, kStart));
  Do(clock, Press(1, kStart));
  ExpectRefused(clock, Press(0, kStart), kStalePly);  // no record of it
  const Result<Decision> decision = Decide(clock, Press(7, kStart), std::nullopt);
  EXPECT_EQ(decision.error().metadata().at("current"), "2");
}

TEST(LiveClock, TheWrongSideCannotPressNorRepeat) {
  LiveClock clock = NewClock();
  ExpectRefused(clock, PressCommand{.ply = 0, .side = Side::kSecond, .at = kStart},
                timecontrol::kOtherSideToMove);
  Do(clock, Press(0, kStart));
  ExpectRefused(clock, PressCommand{.ply = 0, .side = Side::kSecond, .at = kStart},
                timecontrol::kOtherSideToMove);
}

TEST(LiveClock, ALateArrivalWithAnEarlyStampCounts) {
  LiveClock clock = NewClock();
  const TimePoint deadline = ExpiryOf("g", clock)->deadline;
  ExpectRefused(clock, Press(0, deadline), timecontrol::kTimeIsUp);
  EXPECT_TRUE(Do(clock, Press(0, deadline - Millis(1))).changed);
}

TEST(LiveClock, RewindTakesBackThePressAndLaterPressesAreNew) {
  LiveClock clock = NewClock();
  const LiveClock before = clock;
  Do(clock, Press(0, kStart + seconds(7)));
  const RewindCommand rewind{.request_id = "takeback-1",
                             .ply = 0,
                             .side_to_move = Side::kFirst,
                             .at = kStart + seconds(10)};
  EXPECT_EQ(RecordNeeded(clock, rewind), std::nullopt);
  const Decision decision = Do(clock, rewind);
  EXPECT_EQ(clock.state.turn, before.state.turn);
  EXPECT_EQ(decision.reading.running, Side::kFirst);
  const Decision pressed = Do(clock, Press(0, kStart + seconds(13)));
  EXPECT_TRUE(pressed.changed);
  EXPECT_EQ(pressed.used, seconds(3));
  EXPECT_FALSE(Do(clock, rewind).changed) << "the same request again changes nothing more";
  EXPECT_EQ(clock.state.turn.ply, 1);
}

TEST(LiveClock, APressFromBeforeATakebackIsStaleWhenItsPlyComesAgain) {
  LiveClock clock = NewClock();
  Do(clock, Press(0, kStart + seconds(7)));
  Do(clock, RewindCommand{.request_id = "takeback-1",
                          .ply = 0,
                          .side_to_move = Side::kFirst,
                          .at = kStart + seconds(9)});
  ExpectRefused(clock, Press(0, kStart + seconds(8)), kStalePly);
  Do(clock, Press(0, kStart + seconds(10)));
  ExpectRefused(clock, Press(1, kStart + seconds(8)), kStalePly);
  EXPECT_EQ(Do(clock, Press(1, kStart + seconds(12))).used, seconds(2));
}

TEST(LiveClock, ARewindStampedBeforeTheTurnChargesNoTimeTwice) {
  LiveClock clock = NewClock();
  const std::optional<PressRecord> record = Do(clock, Press(0, kStart + seconds(7))).record;
  Do(clock, Press(1, kStart + seconds(10)));
  const RewindCommand rewind{.request_id = "takeback-1",
                             .ply = 0,
                             .side_to_move = Side::kFirst,
                             .at = kStart + seconds(8)};
  Do(clock, rewind, record);
  EXPECT_EQ(clock.state.turn_started, kStart + seconds(10));
  EXPECT_EQ(Do(clock, Press(0, kStart + seconds(12))).used, seconds(2));
}

TEST(LiveClock, ARestartedTurnIsWholeAgainAndItsPressesCount) {
  LiveClock clock = NewClock();
  Do(clock, Press(0, kStart + seconds(7)));
  clock.flag_fallen = true;
  const TimePoint at = kStart + minutes(20);
  const RewindCommand restart{.request_id = "restart-3",
                              .ply = 1,
                              .side_to_move = Side::kSecond,
                              .at = at,
                              .restart = true};
  EXPECT_EQ(Do(clock, restart).reading.deadline, at + minutes(5) + 3 * seconds(30));
  EXPECT_FALSE(clock.flag_fallen);
  // Received before, by a replica whose clock is a little behind.
  EXPECT_EQ(Do(clock, Press(1, at - seconds(1))).used, seconds(0));
}

TEST(LiveClock, RewindOfSeveralPliesNeedsTheRecord) {
  LiveClock clock = NewClock();
  const std::optional<PressRecord> record = Do(clock, Press(0, kStart + seconds(1))).record;
  Do(clock, Press(1, kStart + seconds(2)));
  const RewindCommand rewind{.request_id = "takeback-1",
                             .ply = 0,
                             .side_to_move = Side::kFirst,
                             .at = kStart + seconds(3)};
  EXPECT_EQ(RecordNeeded(clock, rewind), 0);
  ExpectRefused(clock, rewind, kStalePly);
  EXPECT_EQ(Do(clock, rewind, record).reading.first.main_left, minutes(5));
}

TEST(LiveClock, RewindKnowsWhoMovesAtThePly) {
  LiveClock clock = NewClock();
  Do(clock, Press(0, kStart));
  ExpectRefused(
      clock,
      RewindCommand{
          .request_id = "takeback-1", .ply = 0, .side_to_move = Side::kSecond, .at = kStart},
      timecontrol::kOtherSideToMove);
  ExpectRefused(
      clock,
      RewindCommand{
          .request_id = "takeback-1", .ply = 2, .side_to_move = Side::kFirst, .at = kStart},
      kStalePly);
}

TEST(LiveClock, TimeIsAddedOncePerRequest) {
  LiveClock clock = NewClock();
  AddTimeCommand add{
      .request_id = "gift-001", .side = Side::kSecond, .amount = seconds(15), .at = kStart};
  EXPECT_TRUE(Do(clock, add).changed);
  EXPECT_FALSE(Do(clock, add).changed);
  EXPECT_EQ(clock.state.turn.second.main_left, minutes(5) + seconds(15));
  add.request_id = "gift-002";
  EXPECT_TRUE(Do(clock, add).changed);
}

TEST(LiveClock, MemoryOfAdjustmentsIsBounded) {
  LiveClock clock = NewClock();
  for (int i = 0; i < 100; ++i) {
    Do(clock, AddTimeCommand{.request_id = "gift-" + std::to_string(i),
                             .side = Side::kFirst,
                             .amount = seconds(1),
                             .at = kStart});
  }
  EXPECT_EQ(clock.adjustments.size(), kRememberedAdjustments);
  EXPECT_EQ(clock.adjustments.back(), "gift-99");
}

TEST(LiveClock, StopIsIdempotentAndEndsTheDeadline) {
  LiveClock clock = NewClock();
  EXPECT_EQ(ExpiryOf("g", clock)->deadline, kStart + minutes(5) + seconds(90));
  const Decision stopped = Do(clock, StopCommand{.at = kStart + seconds(4)});
  EXPECT_TRUE(stopped.changed);
  EXPECT_EQ(ExpiryOf("g", clock), std::nullopt);
  const Decision again = Do(clock, StopCommand{.at = kStart + seconds(9)});
  EXPECT_FALSE(again.changed);
  EXPECT_EQ(again.reading, stopped.reading);
}

}  // namespace
}  // namespace komadai::clock
