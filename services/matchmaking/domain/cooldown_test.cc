#include "services/matchmaking/domain/cooldown.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace komadai::matchmaking {
namespace {

constexpr TimePoint kNow{Millis{1'700'000'000'000}};
constexpr Millis kMinute{60'000};

TEST(CooldownTest, TwoOffencesAreFree) {
  EXPECT_FALSE(CooldownUntil({}, kNow));
  EXPECT_FALSE(CooldownUntil({kNow, kNow}, kNow));
}

TEST(CooldownTest, EachFurtherOneDoublesUpToTheLongest) {
  std::vector<TimePoint> offences(2, kNow);
  Millis expected = kMinute;
  for (int more = 0; more < 10; ++more) {
    offences.push_back(kNow);
    EXPECT_EQ(CooldownUntil(offences, kNow), kNow + expected) << offences.size();
    expected = std::min(2 * expected, kLongestCooldown);
  }
}

TEST(CooldownTest, ItCountsFromTheLastAndEnds) {
  const std::vector<TimePoint> offences{kNow - 3 * kMinute, kNow - 2 * kMinute, kNow};
  EXPECT_EQ(CooldownUntil(offences, kNow), kNow + kMinute);
  EXPECT_TRUE(CooldownUntil(offences, kNow + kMinute - Millis(1)));
  EXPECT_FALSE(CooldownUntil(offences, kNow + kMinute));
}

TEST(CooldownTest, OldOffencesAreForgotten) {
  const std::vector<TimePoint> offences{kNow - kOffencesCountFor, kNow, kNow};
  EXPECT_FALSE(CooldownUntil(offences, kNow));
}

}  // namespace
}  // namespace komadai::matchmaking
