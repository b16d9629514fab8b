#include "libs/base/token_buckets.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace komadai {
namespace {

TimePoint At(std::int64_t ms) { return FromUnixMillis(1'700'000'000'000 + ms); }

TEST(TokenBucketsTest, ABurstAndThenTheRate) {
  TokenBuckets buckets(2.0, 3);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(buckets.Take("a", At(0)));
  const std::optional<Millis> wait = buckets.Take("a", At(0));
  ASSERT_TRUE(wait);
  EXPECT_EQ(*wait, Millis(500));
  EXPECT_FALSE(buckets.Take("b", At(0)));
  EXPECT_TRUE(buckets.Take("a", At(499)));
  EXPECT_FALSE(buckets.Take("a", At(500)));
  EXPECT_TRUE(buckets.Take("a", At(500)));
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(buckets.Take("a", At(100'000)));
  EXPECT_TRUE(buckets.Take("a", At(100'000)));
}

TEST(TokenBucketsTest, NoLimitAndNoKeyAreNotLimited) {
  TokenBuckets unlimited(0, 0);
  TokenBuckets limited(1, 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(unlimited.Take("a", At(0)));
    EXPECT_FALSE(limited.Take("", At(0)));
  }
  EXPECT_EQ(unlimited.size(), 0u);
}

TEST(TokenBucketsTest, ManyKeysNeitherFillMemoryNorDisableTheLimitOfOne) {
  TokenBuckets buckets(1, 1, 1000);
  for (int i = 0; i < 200'000; ++i) buckets.Take("other" + std::to_string(i), At(i / 1000));
  EXPECT_LE(buckets.size(), 1016u);
  EXPECT_FALSE(buckets.Take("a", At(1000)));
  EXPECT_TRUE(buckets.Take("a", At(1000)));
}

TEST(TokenBucketsTest, AClockThatGoesBackDoesNotLockAnybodyOut) {
  TokenBuckets buckets(1, 1);
  EXPECT_FALSE(buckets.Take("a", At(1'000'000)));
  EXPECT_TRUE(buckets.Take("a", At(0)));
  EXPECT_FALSE(buckets.Take("a", At(1000)));
}

TEST(TokenBucketsTest, ThreadsTakeNoMoreThanThereIs) {
  TokenBuckets buckets(1, 500);
  std::atomic<int> taken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) taken += buckets.Take("a", At(0)) ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(taken.load(), 500);
}

}  // namespace
}  // namespace komadai
