#include "services/clock/store/clock_codec.h"

#include <gtest/gtest.h>

namespace komadai::clock {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};

LiveClock SomeClock() {
  timecontrol::TimeControl control;
  control.first = {.main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  control.second = {.main = minutes(3), .increment = seconds(2), .delay = seconds(1)};
  LiveClock clock = StartClock(control, Side::kSecond, kStart).value();
  const PressCommand press{.ply = 0, .side = Side::kSecond, .at = kStart + seconds(9)};
  clock = Decide(clock, press, std::nullopt)->clock;
  clock.adjustments = {"gift-001", "gift-002"};
  return clock;
}

TEST(ClockCodec, AClockComesBackAsItWas) {
  LiveClock clock = SomeClock();
  EXPECT_EQ(DecodeClock(EncodeClock(clock)).value(), clock);
  clock.last_press.reset();
  clock.state.paused = kStart + seconds(30);
  clock.rewound = kStart + seconds(20);
  EXPECT_EQ(DecodeClock(EncodeClock(clock)).value(), clock);
  clock.state.stopped = kStart + minutes(1);
  EXPECT_EQ(DecodeClock(EncodeClock(clock)).value(), clock);
}

TEST(ClockCodec, LagComesBackAsItWas) {
  timecontrol::TimeControl control;
  control.first = control.second = {.main = minutes(5)};
  control.lag = {.per_move = Millis(500), .per_game = seconds(20)};
  LiveClock clock = StartClock(control, Side::kFirst, kStart).value();
  const PressCommand press{
      .ply = 0, .side = Side::kFirst, .at = kStart + seconds(9), .thinking = Millis(8700)};
  clock = Decide(clock, press, std::nullopt)->clock;
  ASSERT_EQ(clock.state.turn.first.compensated, Millis(300));
  EXPECT_EQ(DecodeClock(EncodeClock(clock)).value(), clock);
  EXPECT_EQ(DecodePress(EncodePress(*clock.last_press)).value(), *clock.last_press);
}

TEST(ClockCodec, AClockWithoutTimeComesBackAsItWas) {
  const LiveClock clock = StartClock({}, Side::kFirst, kStart).value();
  EXPECT_EQ(DecodeClock(EncodeClock(clock)).value(), clock);
}

TEST(ClockCodec, APressComesBackAsItWas) {
  const PressRecord press = *SomeClock().last_press;
  EXPECT_EQ(DecodePress(EncodePress(press)).value(), press);
}

TEST(ClockCodec, AnAnnouncementComesBackAsItWas) {
  const Expiry expiry{.game_id = "g", .ply = 7, .side = Side::kSecond, .deadline = kStart};
  const Result<AnnouncedExpiry> back =
      DecodeAnnouncement(EncodeAnnouncement({.origin = "me", .expiry = expiry}));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->origin, "me");
  EXPECT_EQ(back->expiry, expiry);
}

TEST(ClockCodec, GarbageIsCorrupt) {
  for (const std::string& bytes : {std::string("\xff\xff\xff"), std::string(), std::string("g")}) {
    const Result<LiveClock> clock = DecodeClock(bytes);
    ASSERT_FALSE(clock);
    EXPECT_TRUE(clock.error().Is(kCorruptClock));
    EXPECT_FALSE(DecodePress(bytes));
    EXPECT_FALSE(DecodeAnnouncement(bytes));
  }
}

TEST(ClockCodec, AClockIsSmall) {
  EXPECT_LT(EncodeClock(SomeClock()).size(), 220u);
  EXPECT_LT(EncodePress(*SomeClock().last_press).size(), 64u);
}

}  // namespace
}  // namespace komadai::clock
