#include "libs/base/lru_cache.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace komadai {
namespace {

// Names that share a part, so that its order can be watched.
std::vector<std::string> Neighbours(std::size_t count) {
  std::vector<std::string> names;
  for (int i = 0; names.size() < count; ++i) {
    std::string name = std::to_string(i);
    if (std::hash<std::string>()(name) % 16 == 0) names.push_back(std::move(name));
  }
  return names;
}

TEST(LruCacheTest, FindsWhatWasPutUntilItIsErased) {
  LruCache<int> cache(160);
  EXPECT_EQ(cache.Find("a"), std::nullopt);
  cache.Put("a", 1);
  cache.Put("b", 2);
  cache.Put("a", 3);
  EXPECT_EQ(cache.Find("a"), 3);
  EXPECT_EQ(cache.size(), 2u);
  cache.Erase("a");
  cache.Erase("a");
  EXPECT_EQ(cache.Find("a"), std::nullopt);
  EXPECT_EQ(cache.Find("b"), 2);
}

TEST(LruCacheTest, TheLeastRecentlyUsedGoesFirst) {
  const std::vector<std::string> names = Neighbours(5);
  LruCache<int> cache(16 * 3);
  for (int i = 0; i < 3; ++i) cache.Put(names[i], i);
  EXPECT_EQ(cache.Find(names[0]), 0);  // now more recent than 1 and 2
  cache.Put(names[1], 10);             // and now 2 is the oldest
  cache.Put(names[3], 3);
  EXPECT_EQ(cache.Find(names[2]), std::nullopt);
  cache.Put(names[4], 4);
  EXPECT_EQ(cache.Find(names[0]), std::nullopt);
  EXPECT_EQ(cache.Find(names[1]), 10);
  EXPECT_EQ(cache.size(), 3u);
}

TEST(LruCacheTest, WhatDoesNotReplaceIsDroppedButCountsAsUse) {
  const std::vector<std::string> names = Neighbours(3);
  LruCache<int> cache(16 * 2);
  const auto larger = [](int there, int value) { return there < value; };
  cache.Put(names[0], 5, larger);
  cache.Put(names[1], 1, larger);
  cache.Put(names[0], 4, larger);
  cache.Put(names[2], 1, larger);
  EXPECT_EQ(cache.Find(names[0]), 5);
  EXPECT_EQ(cache.Find(names[1]), std::nullopt);
  cache.Put(names[0], 6, larger);
  EXPECT_EQ(cache.Find(names[0]), 6);
}

TEST(LruCacheTest, EveryPartHoldsAtLeastOne) {
  LruCache<int> cache(1);
  cache.Put("a", 1);
  EXPECT_EQ(cache.Find("a"), 1);
}

}  // namespace
}  // namespace komadai
