#include "services/matchmaking/domain/wave.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <set>

namespace komadai::matchmaking {
namespace {

constexpr TimePoint kNow{Millis{1'700'000'000'000}};

Seeker Somebody(int number, int rating, Millis waited = Millis(0)) {
  Seeker seeker;
  seeker.player_id = "p" + std::to_string(number);
  seeker.seek_id = "s" + std::to_string(number);
  seeker.pools = {1};
  seeker.rating = rating;
  seeker.since = kNow - waited;
  return seeker;
}

// Any seekers: ratings on a heap and far out, waits below and above the limit, wishes, several
// pools, ranges, recent and excluded opponents.
std::vector<Seeker> RandomSeekers(Random& random, int count, int longest_wait_ms = 90'000) {
  const auto below = [&random](int bound) {
    return static_cast<int>(random.Below(static_cast<std::uint64_t>(bound)));
  };
  std::vector<Seeker> seekers;
  for (int i = 0; i < count; ++i) {
    const int rating = 900 + below(300) + below(300) + below(300) + (below(8) == 0 ? 900 : 0);
    Seeker seeker = Somebody(i, rating, Millis(below(longest_wait_ms)));
    if (below(10) == 0) seeker.rating = std::nullopt;
    if (below(4) == 0) seeker.wish = below(2) == 0 ? Side::kFirst : Side::kSecond;
    seeker.pools = {static_cast<std::uint64_t>(below(3))};
    if (below(2) == 0) seeker.pools.push_back(3 + static_cast<std::uint64_t>(below(2)));
    if (below(5) == 0) seeker.range = 50 + below(500);
    if (below(5) == 0) seeker.recent = {"p" + std::to_string(below(count))};
    if (below(8) == 0) seeker.excluded = {"p" + std::to_string(below(count))};
    seekers.push_back(std::move(seeker));
  }
  return seekers;
}

std::vector<const Seeker*> Pointers(const std::vector<Seeker>& seekers) {
  std::vector<const Seeker*> pointers;
  for (const Seeker& seeker : seekers) pointers.push_back(&seeker);
  return pointers;
}

std::int64_t TotalGain(const std::vector<Seeker>& seekers, const std::vector<WavePair>& pairs) {
  std::int64_t total = 0;
  for (const WavePair& pair : pairs) total += Gain(seekers[pair.a], seekers[pair.b], kNow);
  return total;
}

// By trying everything: the best matching of every subset, smallest first.
std::int64_t Optimum(const std::vector<Seeker>& seekers) {
  const std::size_t count = seekers.size();
  std::vector<std::int64_t> best(std::size_t{1} << count, 0);
  for (std::size_t set = 1; set < best.size(); ++set) {
    const auto first = static_cast<std::size_t>(std::countr_zero(set));
    const std::size_t rest = set & (set - 1);
    best[set] = best[rest];  // the first stays alone
    for (std::size_t other = first + 1; other < count; ++other) {
      const std::size_t bit = std::size_t{1} << other;
      if ((set & bit) == 0 || !Legal(seekers[first], seekers[other])) continue;
      const std::int64_t gain = Gain(seekers[first], seekers[other], kNow);
      if (gain > 0) best[set] = std::max(best[set], gain + best[rest & ~bit]);
    }
  }
  return best.back();
}

// Disjoint legal pairs of a shared pool.
void ExpectMatching(const std::vector<Seeker>& seekers, const std::vector<WavePair>& pairs) {
  std::set<std::size_t> paired;
  for (const WavePair& pair : pairs) {
    EXPECT_TRUE(paired.insert(pair.a).second);
    EXPECT_TRUE(paired.insert(pair.b).second);
    EXPECT_TRUE(Legal(seekers[pair.a], seekers[pair.b]));
    EXPECT_EQ(SharedPool(seekers[pair.a], seekers[pair.b]), pair.pool);
  }
  for (std::size_t i = 0; i < seekers.size(); ++i) {
    if (paired.contains(i) || !Overdue(seekers[i], kNow)) continue;
    for (std::size_t j = 0; j < seekers.size(); ++j) {
      if (paired.contains(j) || i == j) continue;
      EXPECT_FALSE(Legal(seekers[i], seekers[j])) << i << " is overdue and could have had " << j;
    }
  }
}

TEST(WaveTest, NobodyAndOne) {
  EXPECT_TRUE(MatchWave({}, kNow).empty());
  const Seeker one = Somebody(1, 1500);
  EXPECT_TRUE(MatchWave({&one}, kNow).empty());
}

TEST(WaveTest, TheClosestTogetherNotTheFirstCome) {
  // In the order of arrival 1500 would take 1590, and the others would stay alone.
  const std::vector<Seeker> seekers{Somebody(0, 1500), Somebody(1, 1590), Somebody(2, 1640),
                                    Somebody(3, 1450)};
  const std::vector<WavePair> pairs = MatchWave(Pointers(seekers), kNow);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(TotalGain(seekers, pairs), 50 + 50);
}

TEST(WaveTest, AnExchangeMendsWhatGreedTakes) {
  // Greed takes the two in the middle (gain 90) and leaves the outer ones, too far from each other.
  const std::vector<Seeker> seekers{Somebody(0, 1500), Somebody(1, 1540), Somebody(2, 1550),
                                    Somebody(3, 1590)};
  const std::vector<WavePair> pairs = MatchWave(Pointers(seekers), kNow);
  ASSERT_EQ(pairs.size(), 2u);
  EXPECT_EQ(TotalGain(seekers, pairs), 60 + 60);
}

TEST(WaveTest, WhoHasWaitedLongerComesFirst) {
  const std::vector<Seeker> seekers{Somebody(0, 1500), Somebody(1, 1500, Millis(20'000)),
                                    Somebody(2, 1500, Millis(40'000))};
  const std::vector<WavePair> pairs = MatchWave(Pointers(seekers), kNow);
  ASSERT_EQ(pairs.size(), 1u);
  EXPECT_EQ(pairs[0].a + pairs[0].b, 3u) << "the two who have waited";
}

TEST(WaveTest, AnOutsiderIsPairedOnceOverdue) {
  std::vector<Seeker> seekers{Somebody(0, 3000, kAnybodyAfter - Millis(1))};
  for (int i = 1; i < 40; ++i) seekers.push_back(Somebody(i, 1000 + i));
  const auto alone = [&seekers] {
    for (const WavePair& pair : MatchWave(Pointers(seekers), kNow)) {
      if (pair.a == 0 || pair.b == 0) return false;
    }
    return true;
  };
  EXPECT_TRUE(alone());
  seekers[0].since -= Millis(1);
  EXPECT_FALSE(alone());
}

// What part of the optimum's gain waves have in small pools, at worst and on average.
struct Part {
  double worst = 1;
  double mean = 0;
};

Part PartOfOptimum(int longest_wait_ms) {
  SeededRandom random(20);
  Part part;
  int pools = 0;
  for (int round = 0; round < 400; ++round) {
    const std::vector<Seeker> seekers = RandomSeekers(random, 2 + round % 11, longest_wait_ms);
    const std::vector<WavePair> pairs = MatchWave(Pointers(seekers), kNow);
    ExpectMatching(seekers, pairs);
    const auto optimum = static_cast<double>(Optimum(seekers));
    if (optimum == 0) continue;
    const double gain = static_cast<double>(TotalGain(seekers, pairs)) / optimum;
    part.worst = std::min(part.worst, gain);
    part.mean += gain;
    ++pools;
  }
  part.mean /= pools;
  std::printf("waits up to %d s: worst %.4f, mean %.5f of the optimum\n", longest_wait_ms / 1000,
              part.worst, part.mean);
  return part;
}

TEST(WaveTest, SmallPoolsAreNearTheOptimum) {
  for (const int longest_wait_ms : {59'000, 90'000}) {  // without and with overdue seekers
    const Part part = PartOfOptimum(longest_wait_ms);
    EXPECT_GE(part.worst, 2.0 / 3) << "what alternating paths of three edges promise";
    EXPECT_GE(part.mean, 0.99);
  }
}

TEST(WaveTest, LargePoolsAreMatchedWhole) {
  SeededRandom random(21);
  for (const int count : {50, 300, 2000}) {
    const std::vector<Seeker> seekers = RandomSeekers(random, count);
    const std::vector<WavePair> pairs = MatchWave(Pointers(seekers), kNow);
    ExpectMatching(seekers, pairs);
    EXPECT_GT(pairs.size(), static_cast<std::size_t>(count) / 4);
  }
}

TEST(WaveTest, TheSameSeekersGiveTheSamePairs) {
  SeededRandom random(22);
  const std::vector<Seeker> seekers = RandomSeekers(random, 200);
  const std::vector<WavePair> one = MatchWave(Pointers(seekers), kNow);
  const std::vector<WavePair> other = MatchWave(Pointers(seekers), kNow);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].a, other[i].a);
    EXPECT_EQ(one[i].b, other[i].b);
  }
}

TEST(WaveTest, ManyWhoWishTheSameSideDoNotHideTheOthers) {
  std::vector<Seeker> seekers;
  for (int i = 0; i < 500; ++i) {
    seekers.push_back(Somebody(i, 1500));
    seekers.back().wish = Side::kFirst;
  }
  seekers.push_back(Somebody(500, 1500));
  seekers.back().wish = Side::kSecond;
  EXPECT_EQ(MatchWave(Pointers(seekers), kNow).size(), 1u);
}

}  // namespace
}  // namespace komadai::matchmaking
