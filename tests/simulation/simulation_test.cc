// Random schedules of the game and clock services: their own code on simulated time, network and
// store. komadai-simulate runs more of them, and prints the trace of one.
#include <gtest/gtest.h>

#include <string>

#include "tests/simulation/world.h"

namespace komadai::simulation {
namespace {

constexpr std::uint64_t kFirstSeed = 1;
constexpr int kSchedules = 2000;

std::string Explain(std::uint64_t seed) {
  const Outcome again = Simulate(seed, 300);
  std::string words = "seed " + std::to_string(seed) + ": " + again.complaint.value_or("ok") + "\n";
  for (const std::string& line : again.trace) words += line + "\n";
  return words + "build/bin/komadai-simulate --replay " + std::to_string(seed) + " shows it again";
}

TEST(SimulationTest, EveryPromiseHoldsInTwoThousandSchedules) {
  Tally tally;
  int crashes = 0;
  for (int i = 0; i < kSchedules; ++i) {
    const std::uint64_t seed = kFirstSeed + static_cast<std::uint64_t>(i);
    const Outcome outcome = Simulate(seed);
    ASSERT_FALSE(outcome.complaint) << Explain(seed);
    tally.Add(outcome.tally);
    crashes += outcome.crashes;
  }
  // Schedules in which nothing happens would keep every promise.
  EXPECT_EQ(tally.games, kSchedules);
  EXPECT_GT(tally.moves, 2 * kSchedules);
  EXPECT_GT(tally.acknowledged, tally.moves / 2);
  EXPECT_GT(crashes, kSchedules / 2);
  EXPECT_GT(tally.flags, kSchedules / 20);
  EXPECT_GT(tally.takebacks, kSchedules / 100);
  for (const char* ending : {"RESIGNATION", "TIME_OUT", "AGREED_DRAW", "ABORTED"}) {
    EXPECT_GT(tally.endings[ending], 0) << ending;
  }
}

TEST(SimulationTest, TheSameSeedIsTheSameScheduleWithAndWithoutATrace) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcome once = Simulate(seed);
    const Outcome again = Simulate(seed, 100);
    EXPECT_EQ(once.fingerprint, again.fingerprint) << seed;
    EXPECT_EQ(once.steps, again.steps) << seed;
    EXPECT_TRUE(once.trace.empty());
    EXPECT_FALSE(again.trace.empty());
  }
}

struct Canary {
  const char* name;
  Sabotage sabotage;
  const char* complaint;  // a part of it
};

class SimulationCanaryTest : public ::testing::TestWithParam<Canary> {};

TEST_P(SimulationCanaryTest, SabotageIsFound) {
  constexpr std::uint64_t kMaxSeeds = 300;
  std::string found;
  for (std::uint64_t seed = 1; seed <= kMaxSeeds; ++seed) {
    const Outcome outcome = Simulate(seed, 0, GetParam().sabotage);
    if (!outcome.complaint) continue;
    found += *outcome.complaint + "\n";
    if (outcome.complaint->find(GetParam().complaint) != std::string::npos) return;
  }
  FAIL() << "expected \"" << GetParam().complaint << "\", found:\n" << found;
}

const Canary kCanaries[] = {
    {"ForgetfulStore", Sabotage::kForgetfulStore, "acknowledged that was never committed"},
    {"PrematureFlag", Sabotage::kPrematureFlag, "before its deadline"},
    {"SilentClock", Sabotage::kSilentClock, "the game goes on"},
    {"ForgetfulArchive", Sabotage::kForgetfulArchive, "the archive has not"},
    {"LossyWatch", Sabotage::kLossyWatch, "a watcher got event"},
};

INSTANTIATE_TEST_SUITE_P(All, SimulationCanaryTest, ::testing::ValuesIn(kCanaries),
                         [](const auto& canary) { return std::string(canary.param.name); });

}  // namespace
}  // namespace komadai::simulation
