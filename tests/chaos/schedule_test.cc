#include "tests/chaos/schedule.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace komadai::chaos {
namespace {

const std::vector<Part> kParts{{"game"}, {"clock"}, {"rules"}, {"redis", true}, {"postgres", true}};

TEST(ScheduleTest, TheSameSeedIsTheSameSchedule) {
  const auto text = [](std::uint64_t seed) {
    std::string all;
    for (const Fault& fault : MakeSchedule(seed, Millis(60000), Millis(1000), kParts)) {
      all += std::to_string(fault.at.count()) + NameOf(fault.kind) + fault.part +
             std::to_string(fault.lasts.count()) + ";";
    }
    return all;
  };
  EXPECT_EQ(text(7), text(7));
  EXPECT_NE(text(7), text(8));
}

TEST(ScheduleTest, EveryRoundHurtsEveryPartOnceAndTheFirstKills) {
  const std::vector<Fault> faults = MakeSchedule(3, Millis(600000), Millis(1000), kParts);
  ASSERT_GE(faults.size(), 2 * kParts.size());
  for (std::size_t round = 0; (round + 1) * kParts.size() <= faults.size(); ++round) {
    std::set<std::string> hurt;
    for (std::size_t i = 0; i < kParts.size(); ++i) {
      const Fault& fault = faults[round * kParts.size() + i];
      hurt.insert(fault.part);
      if (round == 0) {
        EXPECT_EQ(fault.kind, Fault::Kind::kKill);
      }
    }
    EXPECT_EQ(hurt.size(), kParts.size());
  }
}

TEST(ScheduleTest, StoresAreOnlyKilledAndServicesAlsoDrainedAndStalled) {
  std::map<Fault::Kind, int> of_game;
  for (const Fault& fault : MakeSchedule(5, Millis(3600000), Millis(1000), kParts)) {
    if (fault.part == "redis" || fault.part == "postgres") {
      EXPECT_EQ(fault.kind, Fault::Kind::kKill);
    } else if (fault.part == "game") {
      ++of_game[fault.kind];
    }
    EXPECT_GE(fault.lasts, Millis(100));
    EXPECT_LE(fault.lasts, Millis(3000));
  }
  EXPECT_GT(of_game[Fault::Kind::kKill], of_game[Fault::Kind::kDrain]);
  EXPECT_GT(of_game[Fault::Kind::kDrain], 0);
  EXPECT_GT(of_game[Fault::Kind::kStall], 0);
}

TEST(ScheduleTest, ARollingRestartDrainsOnePartAfterTheOther) {
  const std::vector<Part> parts{{"game"}, {"game/1"}, {"clock"}};
  std::string text;
  for (const Fault& fault : MakeRollingRestart(Millis(5000), Millis(1000), parts)) {
    EXPECT_EQ(fault.kind, Fault::Kind::kDrain);
    text += std::to_string(fault.at.count()) + " " + fault.part + "; ";
  }
  EXPECT_EQ(text, "1000 game; 2000 game/1; 3000 clock; 4000 game; ");
  EXPECT_TRUE(MakeRollingRestart(Millis(5000), Millis(1000), {}).empty());
}

TEST(ScheduleTest, AShortRunStillKillsEveryPart) {
  const Millis duration(20000);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Millis gap = GapFor(duration, kParts.size(), Millis(3000));
    std::set<std::string> killed;
    for (const Fault& fault : MakeSchedule(seed, duration, gap, kParts)) killed.insert(fault.part);
    EXPECT_EQ(killed.size(), kParts.size()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace komadai::chaos
