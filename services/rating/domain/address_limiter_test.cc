#include "services/rating/domain/address_limiter.h"

#include <gtest/gtest.h>

namespace komadai::rating {
namespace {

TimePoint At(std::int64_t ms) { return FromUnixMillis(1'700'000'000'000 + ms); }

TEST(AddressLimiterTest, PeersAreTheirAddressWithoutThePort) {
  EXPECT_EQ(AddressOfPeer("ipv4:192.0.2.1:5000"), "192.0.2.1");
  EXPECT_EQ(AddressOfPeer("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:5000"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOfPeer("ipv6:[2001:db8:1:2:9::1]:5000"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOfPeer("unix:/run/x"), "");
  EXPECT_EQ(AddressOfPeer("inproc"), "");
}

TEST(AddressLimiterTest, AnAddressMayOpenAsManyAsAMinuteAllowsAndThenWaits) {
  AddressLimiter limiter(2);
  EXPECT_FALSE(limiter.Take("a", At(0)));
  EXPECT_FALSE(limiter.Take("a", At(0)));
  const std::optional<Millis> wait = limiter.Take("a", At(0));
  ASSERT_TRUE(wait);
  EXPECT_EQ(*wait, Millis(30'000));
  EXPECT_FALSE(limiter.Take("b", At(0)));
  EXPECT_TRUE(limiter.Take("a", At(29'000)));
  EXPECT_FALSE(limiter.Take("a", At(30'000)));
  EXPECT_TRUE(limiter.Take("a", At(30'000)));
}

TEST(AddressLimiterTest, ZeroAndUnknownAddressesAreNotLimited) {
  AddressLimiter unlimited(0);
  AddressLimiter limited(1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(unlimited.Take("a", At(0)));
    EXPECT_FALSE(limited.Take("", At(0)));
  }
}

TEST(AddressLimiterTest, ManyAddressesDoNotDisableTheLimitOfOne) {
  AddressLimiter limiter(1);
  for (int i = 0; i < 200'000; ++i) limiter.Take("other" + std::to_string(i), At(i));
  EXPECT_FALSE(limiter.Take("a", At(200'000)));
  EXPECT_TRUE(limiter.Take("a", At(200'000)));
}

TEST(AddressLimiterTest, AClockThatGoesBackDoesNotLockAnybodyOut) {
  AddressLimiter limiter(1);
  EXPECT_FALSE(limiter.Take("a", At(1'000'000)));
  EXPECT_TRUE(limiter.Take("a", At(0)));
  EXPECT_FALSE(limiter.Take("a", At(60'000)));
}

}  // namespace
}  // namespace komadai::rating
