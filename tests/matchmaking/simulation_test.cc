// A few minutes of arrivals; an hour of them is in ./dev bench match.
#include <gtest/gtest.h>

#include <cstdio>

#include "services/matchmaking/domain/seeker.h"
#include "tests/matchmaking/pairing_run.h"

namespace komadai::matchmaking {
namespace {

TEST(MatchmakingSimulation, WavesAreCloserThanFirstComeAndNobodyWaitsTooLong) {
  for (const std::uint64_t seed : {1u, 2u}) {
    ArrivalPlan plan;
    plan.players = 1000;
    plan.over = Millis(360'000);
    plan.seed = seed;
    const std::vector<Arrival> arrivals = MakeArrivals(plan);
    const PairingRun waves = ByWaves(arrivals, seed);
    const PairingRun windows = FirstComeInWindows(arrivals);
    const PairingRun anybody = FirstCome(arrivals);
    std::fputs(TableOf({waves, windows, anybody}).c_str(), stdout);
    for (const std::string& breach : waves.breaches) ADD_FAILURE() << breach;
    EXPECT_GT(waves.pairs.size(), 450u);
    EXPECT_LT(Quantile(waves.Differences(), 0.5), Quantile(anybody.Differences(), 0.5));
    EXPECT_LT(Quantile(waves.Differences(), 0.9), Quantile(anybody.Differences(), 0.9));
  }
}

TEST(MatchmakingSimulation, InARushWavesFindTheCloserOnes) {
  ArrivalPlan plan;
  plan.players = 500;
  plan.over = Millis(5000);
  const std::vector<Arrival> arrivals = MakeArrivals(plan);
  const PairingRun waves = ByWaves(arrivals, 3);
  const PairingRun windows = FirstComeInWindows(arrivals);
  std::fputs(TableOf({waves, windows}).c_str(), stdout);
  for (const std::string& breach : waves.breaches) ADD_FAILURE() << breach;
  EXPECT_LT(4 * Quantile(waves.Differences(), 0.5), 3 * Quantile(windows.Differences(), 0.5));
}

TEST(MatchmakingSimulation, TheSameSeedIsTheSameRun) {
  ArrivalPlan plan;
  plan.players = 200;
  plan.over = Millis(60'000);
  const std::vector<Arrival> arrivals = MakeArrivals(plan);
  EXPECT_EQ(TableOf({ByWaves(arrivals, 7)}), TableOf({ByWaves(MakeArrivals(plan), 7)}));
}

}  // namespace
}  // namespace komadai::matchmaking
