#include "services/clock/app/expiry_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace komadai::clock {
namespace {

using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr TimePoint kNow{Millis(std::int64_t{1700000000000})};
constexpr Millis kGrace = ExpirySchedule::kPressGrace;

Expiry At(TimePoint deadline, const std::string& game_id = "g", int ply = 4) {
  return {.game_id = game_id, .ply = ply, .side = Side::kFirst, .deadline = deadline};
}

std::vector<std::string> Names(const std::vector<DueExpiry>& due) {
  std::vector<std::string> names;
  for (const DueExpiry& one : due) names.push_back(one.expiry.game_id);
  return names;
}

TEST(ExpirySchedule, AnOwnedDeadlineIsDueAMomentAfterIt) {
  ExpirySchedule schedule;
  schedule.Own("g", 1, At(kNow));
  EXPECT_EQ(schedule.NextDue(), kNow + kGrace);
  EXPECT_THAT(schedule.TakeDue(kNow + kGrace - Millis(1), 10), IsEmpty());
  EXPECT_THAT(Names(schedule.TakeDue(kNow + kGrace, 10)), ElementsAre("g"));
  EXPECT_THAT(schedule.TakeDue(kNow + kGrace, 10), IsEmpty());
}

TEST(ExpirySchedule, DueOnesComeInTheOrderOfTheirDeadlines) {
  ExpirySchedule schedule;
  schedule.Own("c", 1, At(kNow + seconds(3), "c"));
  schedule.Own("a", 2, At(kNow + seconds(1), "a"));
  schedule.Own("b", 3, At(kNow + seconds(2), "b"));
  EXPECT_THAT(Names(schedule.TakeDue(kNow + seconds(9), 2)), ElementsAre("a", "b"));
  EXPECT_EQ(schedule.NextDue(), kNow + seconds(3) + kGrace);
}

TEST(ExpirySchedule, ANewStateReplacesTheTimer) {
  ExpirySchedule schedule;
  schedule.Own("g", 1, At(kNow));
  schedule.Own("g", 2, At(kNow + seconds(5)));
  EXPECT_EQ(schedule.timers(), 1u);
  EXPECT_EQ(schedule.NextDue(), kNow + seconds(5) + kGrace);
  schedule.Own("g", 3, std::nullopt);
  EXPECT_EQ(schedule.NextDue(), std::nullopt);
}

TEST(ExpirySchedule, AnOlderVersionIsIgnored) {
  ExpirySchedule schedule;
  schedule.Own("g", 5, At(kNow + seconds(5)));
  schedule.Own("g", 4, At(kNow));
  schedule.Adopt(4, At(kNow), kNow);
  EXPECT_EQ(schedule.NextDue(), kNow + seconds(5) + kGrace);
}

TEST(ExpirySchedule, SaysWhetherItMustBeAskedEarlier) {
  ExpirySchedule schedule;
  EXPECT_TRUE(schedule.Own("a", 1, At(kNow + seconds(5), "a")));
  EXPECT_FALSE(schedule.Own("b", 2, At(kNow + seconds(6), "b")));
  EXPECT_TRUE(schedule.Own("c", 3, At(kNow + seconds(4), "c")));
}

TEST(ExpirySchedule, AnAdoptedDeadlineLeavesTheOwnerAMoment) {
  ExpirySchedule schedule;
  schedule.Adopt(1, At(kNow + seconds(1)), kNow);
  EXPECT_EQ(schedule.NextDue(), kNow + seconds(1) + kGrace + ExpirySchedule::kAdoptionGrace);
  schedule.Adopt(2, At(kNow - seconds(1), "late"), kNow);
  EXPECT_EQ(schedule.NextDue(), kNow);
}

TEST(ExpirySchedule, TheSweepWantsWhatNobodyHasATimerFor) {
  ExpirySchedule schedule;
  EXPECT_TRUE(schedule.Wants("g", kNow, kNow));
  schedule.Own("g", 1, At(kNow));
  EXPECT_FALSE(schedule.Wants("g", kNow, kNow));
  EXPECT_TRUE(schedule.Wants("g", kNow + seconds(1), kNow)) << "the clock has changed elsewhere";
}

TEST(ExpirySchedule, WhatWasAnnouncedIsLeftAloneForASecond) {
  ExpirySchedule schedule;
  EXPECT_TRUE(schedule.Announced(At(kNow), kNow));
  EXPECT_FALSE(schedule.Wants("g", kNow, kNow + Millis(999)));
  EXPECT_TRUE(schedule.Wants("g", kNow, kNow + seconds(1)));
  EXPECT_TRUE(schedule.Wants("g", kNow + seconds(2), kNow)) << "another deadline of the game";
  EXPECT_FALSE(schedule.Announced(At(kNow), kNow + seconds(1))) << "a repeat";
}

TEST(ExpirySchedule, AnAnnouncementOfAnotherReplicaDisarmsTheTimer) {
  ExpirySchedule schedule;
  schedule.Adopt(1, At(kNow), kNow);
  schedule.Announced(At(kNow), kNow);
  EXPECT_EQ(schedule.timers(), 0u);
  schedule.Own("g", 2, At(kNow + seconds(5)));
  schedule.Announced(At(kNow), kNow);
  EXPECT_EQ(schedule.timers(), 1u) << "that was an earlier deadline";
}

TEST(ExpirySchedule, OldAnnouncementsAreForgotten) {
  ExpirySchedule schedule;
  schedule.Announced(At(kNow), kNow);
  schedule.ForgetOldAnnouncements(kNow + seconds(2));
  EXPECT_FALSE(schedule.Announced(At(kNow), kNow + seconds(2)));
  schedule.ForgetOldAnnouncements(kNow + seconds(10));
  EXPECT_TRUE(schedule.Announced(At(kNow), kNow + seconds(10)));
}

TEST(ExpirySchedule, ADeadlineOfTheSameVersionIsOwnedOnceItIs) {
  ExpirySchedule schedule;
  schedule.Adopt(1, At(kNow), kNow - seconds(1));
  schedule.Own("g", 1, At(kNow));
  EXPECT_EQ(schedule.NextDue(), kNow + kGrace) << "the owner does not wait for another one";
  schedule.Adopt(1, At(kNow), kNow - seconds(1));
  EXPECT_EQ(schedule.NextDue(), kNow + kGrace) << "an own deadline is not adopted back";
}

}  // namespace
}  // namespace komadai::clock
