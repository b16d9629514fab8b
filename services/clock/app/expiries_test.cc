#include "services/clock/app/expiries.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "libs/base/random.h"
#include "libs/livestore/memory_live_store.h"
#include "services/clock/testing/replicas.h"

namespace komadai::clock {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr Millis kGrace = ExpirySchedule::kPressGrace;

timecontrol::TimeControl SuddenDeath(Millis time) {
  return {.first = {.main = time}, .second = {.main = time}};
}

class ExpiriesTest : public testing::Test {
 protected:
  Replica& AddReplica(const std::string& name) {
    replicas_[name] = std::make_unique<Replica>(memory_, time_, name);
    return *replicas_[name];
  }
  // Time passes, and every replica that is up looks at its clock every ten milliseconds.
  void Run(Millis duration) {
    for (Millis passed{0}; passed < duration; passed += Millis(10)) {
      time_.Advance(Millis(10));
      for (auto& [name, replica] : replicas_) replica->expiries().Tick();
    }
  }
  TimePoint now() const { return time_.Now(); }

  HandClock time_;
  livestore::MemoryLiveStore memory_{time_};
  std::map<std::string, std::unique_ptr<Replica>> replicas_;
};

TEST_F(ExpiriesTest, TheFlagFallsAMomentAfterTheDeadline) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(10) + kGrace - Millis(10));
  EXPECT_THAT(a.Heard(), IsEmpty());
  Run(Millis(10));
  const auto heard = a.Heard();
  ASSERT_THAT(heard, SizeIs(1));
  EXPECT_EQ(
      heard[0].first,
      (Expiry{.game_id = "g", .ply = 0, .side = Side::kFirst, .deadline = kStart + seconds(10)}));
  EXPECT_EQ(heard[0].second, kStart + seconds(10) + kGrace);
}

TEST_F(ExpiriesTest, AnExpiryRepeatsEverySecondUntilTheClockStops) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(20));
  const auto heard = a.Heard();
  ASSERT_GE(heard.size(), 6u);
  for (std::size_t i = 1; i < heard.size(); ++i) {
    const Millis gap = heard[i].second - heard[i - 1].second;
    EXPECT_GE(gap, seconds(1));
    EXPECT_LE(gap, Millis(1600));
  }
  ASSERT_TRUE(a.Stop("g", now()));
  Run(seconds(5));
  EXPECT_THAT(a.Heard(), SizeIs(heard.size()));
}

TEST_F(ExpiriesTest, APressThatCameInTimeCountsUntilTheFlagHasFallen) {
  const TimePoint in_time = kStart + seconds(10) - Millis(1);
  Replica& a = AddReplica("a");
  Replica& b = AddReplica("b");
  ASSERT_TRUE(a.Start("early", SuddenDeath(seconds(10)), now()));
  ASSERT_TRUE(a.Start("late", SuddenDeath(seconds(10)), now()));
  Run(seconds(10) + kGrace - Millis(10));
  ASSERT_TRUE(b.Press("early", 0, in_time));
  Run(Millis(10));
  ASSERT_THAT(a.Heard(), SizeIs(1));
  EXPECT_EQ(a.Heard()[0].first.game_id, "late");
  for (Replica* replica : {&a, &b}) {
    const Result<Answer> pressed = replica->Press("late", 0, in_time);
    ASSERT_FALSE(pressed) << "the flag has fallen, and everybody was told";
    EXPECT_TRUE(pressed.error().Is(timecontrol::kTimeIsUp)) << pressed.error().ToString();
  }
  EXPECT_FALSE(a.AddTime("late", "gift-001", Side::kFirst, seconds(30), in_time));
}

TEST_F(ExpiriesTest, ATakebackFromBeforeTheDeadlineRaisesTheFlagAgain) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(1));
  ASSERT_TRUE(a.Press("g", 0, now()));
  Run(seconds(11));
  ASSERT_FALSE(a.Heard().empty());
  ASSERT_TRUE(a.Rewind("g", "takeback-1", 0, kStart + seconds(10)));
  EXPECT_TRUE(a.Press("g", 0, now()));
}

TEST_F(ExpiriesTest, APausedClockHasNoDeadlineUntilItRunsOn) {
  Replica& a = AddReplica("a");
  AddReplica("b");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(4));
  ASSERT_TRUE(a.Adjust("g", PauseCommand{"pause-001", 0, now()}));
  Run(seconds(20));
  EXPECT_THAT(a.Heard(), IsEmpty());
  ASSERT_TRUE(a.Adjust("g", ResumeCommand{"resume-01", 0, now()}));
  const TimePoint resumed = now();
  Run(seconds(6) + kGrace - Millis(10));
  EXPECT_THAT(a.Heard(), IsEmpty());
  Run(Millis(10));
  ASSERT_THAT(a.Heard(), SizeIs(1));
  EXPECT_EQ(a.Heard()[0].first.deadline, resumed + seconds(6));
}

TEST_F(ExpiriesTest, EveryReplicaHearsOfIt) {
  Replica& a = AddReplica("a");
  Replica& b = AddReplica("b");
  Replica& c = AddReplica("c");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(Millis(10100));
  EXPECT_THAT(a.Heard(), SizeIs(1));
  EXPECT_THAT(b.Heard(), SizeIs(1));
  EXPECT_THAT(c.Heard(), SizeIs(1));
  Run(seconds(10));
  // One of the three repeats it, not each.
  EXPECT_LE(b.Heard().size(), 12u);
}

TEST_F(ExpiriesTest, AnotherReplicaTakesOverWithinAHundredMilliseconds) {
  AddReplica("a");
  Replica& b = AddReplica("b");
  ASSERT_TRUE(replicas_["a"]->Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(5));
  replicas_.erase("a");
  Run(Millis(5100));
  ASSERT_THAT(b.Heard(), SizeIs(1));
  EXPECT_GE(b.Heard()[0].second, kStart + seconds(10));
  EXPECT_LE(b.Heard()[0].second, kStart + seconds(10) + Millis(100));
}

TEST_F(ExpiriesTest, ADeadlineThatPassedWhileAllWereDownIsFoundAtTheStart) {
  AddReplica("a");
  ASSERT_TRUE(replicas_["a"]->Start("g", SuddenDeath(seconds(10)), now()));
  replicas_.clear();
  time_.Advance(minutes(5));
  Replica& b = AddReplica("b");
  const TimePoint recovered = now();
  Run(seconds(2));
  ASSERT_FALSE(b.Heard().empty());
  EXPECT_LE(b.Heard()[0].second, recovered + seconds(2));
}

TEST_F(ExpiriesTest, APressElsewhereWithdrawsTheTimer) {
  Replica& a = AddReplica("a");
  Replica& b = AddReplica("b");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(9));
  ASSERT_TRUE(b.Press("g", 0, now()));
  Run(seconds(9));
  EXPECT_THAT(a.Heard(), IsEmpty());
  EXPECT_THAT(b.Heard(), IsEmpty());
  EXPECT_THAT(a.Metrics(), HasSubstr("komadai_clock_expiries_total{source=\"withdrawn\"} 1"));
}

TEST_F(ExpiriesTest, TimeAddedElsewhereMovesTheFlag) {
  Replica& a = AddReplica("a");
  Replica& b = AddReplica("b");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(9));
  ASSERT_TRUE(b.AddTime("g", "gift-001", Side::kFirst, seconds(30), now()));
  Run(seconds(31) + kGrace - Millis(10));
  EXPECT_THAT(a.Heard(), IsEmpty());
  EXPECT_THAT(b.Heard(), IsEmpty());
  Run(Millis(10));
  EXPECT_THAT(b.Heard(), SizeIs(1));
  EXPECT_THAT(a.Heard(), SizeIs(1));
}

// T82: a takeback of the first move leaves a clock that still flags.
TEST_F(ExpiriesTest, ATakebackKeepsADeadline) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  Run(seconds(4));
  ASSERT_TRUE(a.Press("g", 0, now()));
  Run(seconds(4));
  ASSERT_TRUE(a.Rewind("g", "takeback-1", 0, now()));
  const TimePoint rewound = now();
  Run(seconds(12));
  ASSERT_FALSE(a.Heard().empty());
  EXPECT_EQ(a.Heard()[0].first.ply, 0);
  EXPECT_EQ(a.Heard()[0].first.side, Side::kFirst);
  EXPECT_EQ(a.Heard()[0].second, rewound + seconds(10) + kGrace);
}

TEST_F(ExpiriesTest, WithoutAClockNobodyIsFlagged) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", {}, now()));
  Run(seconds(30));
  EXPECT_THAT(a.Heard(), IsEmpty());
}

TEST_F(ExpiriesTest, AStoreThatIsAwayDelaysTheFlagUntilItIsBack) {
  Replica& a = AddReplica("a");
  ASSERT_TRUE(a.Start("g", SuddenDeath(seconds(10)), now()));
  a.fault = [](const livestore::Operation&) { return livestore::Fault::kUnavailable; };
  Run(seconds(20));
  EXPECT_THAT(a.Heard(), IsEmpty());
  EXPECT_THAT(a.Metrics(), testing::Not(HasSubstr("komadai_clock_sweep_failures_total 0")));
  a.fault = [](const livestore::Operation&) { return livestore::Fault::kNone; };
  const TimePoint recovered = now();
  Run(seconds(2));
  ASSERT_FALSE(a.Heard().empty());
  EXPECT_LE(a.Heard()[0].second, recovered + seconds(1));
}

TEST_F(ExpiriesTest, AnAnnouncementInDoubtIsMadeAgain) {
  for (const auto fault : {livestore::Fault::kInDoubtDone, livestore::Fault::kInDoubtNotDone}) {
    replicas_.clear();
    Replica& a = AddReplica("a");
    const std::string game_id = "g" + std::to_string(static_cast<int>(fault));
    ASSERT_TRUE(a.Start(game_id, SuddenDeath(seconds(10)), now()));
    Run(seconds(9));
    int faults = 1;
    a.fault = [&faults, fault](const livestore::Operation& operation) {
      const bool fail = operation.kind == livestore::Operation::Kind::kCommit && faults-- > 0;
      return fail ? fault : livestore::Fault::kNone;
    };
    Run(seconds(2));
    EXPECT_FALSE(a.Heard().empty());
    ASSERT_TRUE(a.Stop(game_id, now()));
  }
}

TEST_F(ExpiriesTest, HeartbeatsComeRegularly) {
  Replica& a = AddReplica("a");
  Run(seconds(60));
  EXPECT_GE(a.heartbeats(), 12);
  EXPECT_LE(a.heartbeats(), 13);
}

TEST_F(ExpiriesTest, ManyDeadlinesAtOneInstantAreAllAnnounced) {
  constexpr int kGames = 3000;
  Replica& a = AddReplica("a");
  for (int i = 0; i < kGames; ++i) {
    ASSERT_TRUE(a.Start("game-" + std::to_string(i), SuddenDeath(seconds(10)), kStart));
  }
  Run(seconds(10) + Millis(100));
  std::set<std::string> games;
  for (const auto& [expiry, at] : a.Heard()) games.insert(expiry.game_id);
  EXPECT_THAT(games, SizeIs(kGames));
  EXPECT_THAT(a.Heard(), SizeIs(kGames)) << "nothing is announced twice within a second";
}

TEST_F(ExpiriesTest, RunningClocksAreCounted) {
  Replica& a = AddReplica("a");
  for (int i = 0; i < 7; ++i) {
    ASSERT_TRUE(a.Start("game-" + std::to_string(i), SuddenDeath(minutes(10)), kStart));
  }
  ASSERT_TRUE(a.Stop("game-3", kStart));
  Run(seconds(11));
  EXPECT_THAT(a.Metrics(), HasSubstr("komadai_clock_running 6"));
  EXPECT_THAT(a.Metrics(), HasSubstr("komadai_clock_timers 6"));
}

// Random games on three replicas, of which some are killed and started again at random moments.
class RandomExpiries : public ExpiriesTest, public testing::WithParamInterface<std::uint64_t> {};

TEST_P(RandomExpiries, EveryFlagFallsInTimeAndNoneEarly) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  SeededRandom random(GetParam());
  const std::vector<std::string> names = {"a", "b", "c"};
  for (const std::string& name : names) AddReplica(name);
  struct Game {
    int ply = 0;
    TimePoint deadline;
    bool over = false;
  };
  std::map<std::string, Game> games;
  const auto any = [&]() -> Replica& {
    auto it = replicas_.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(random.Below(replicas_.size())));
    return *it->second;
  };
  for (int i = 0; i < 30; ++i) {
    const std::string id = "game-" + std::to_string(i);
    const Result<Answer> started = any().Start(id, SuddenDeath(seconds(3)), now());
    ASSERT_TRUE(started);
    games[id].deadline = *started->reading.deadline;
  }
  TimePoint all_up_since = now();
  for (int step = 0; step < 400; ++step) {
    Run(Millis(20));
    // A killed replica is back within moments.
    for (const std::string& name : names) {
      if (replicas_.count(name) == 0 && random.Below(5) == 0) {
        AddReplica(name);
        all_up_since = now();
      }
    }
    if (replicas_.size() > 1 && random.Below(40) == 0) {
      replicas_.erase(names[random.Below(names.size())]);
      all_up_since = now();
    }
    for (auto& [id, game] : games) {
      if (game.over || random.Below(30) != 0) continue;
      const Result<Answer> pressed = any().Press(id, game.ply, now());
      if (pressed) {
        ++game.ply;
        game.deadline = *pressed->reading.deadline;
      } else {
        ASSERT_TRUE(pressed.error().Is(timecontrol::kTimeIsUp)) << pressed.error().ToString();
        ASSERT_GE(now(), game.deadline);
      }
    }
    // A watcher that is everywhere, and the game that ends once it hears of it.
    for (auto& [name, replica] : replicas_) {
      for (const auto& [expiry, at] : replica->Heard()) {
        ASSERT_GE(at, expiry.deadline) << "flagged early";
        Game& game = games[expiry.game_id];
        if (game.over || expiry.ply != game.ply) continue;
        ASSERT_EQ(expiry.deadline, game.deadline);
        game.over = true;
        ASSERT_TRUE(any().Stop(expiry.game_id, now()));
      }
    }
    for (const auto& [id, game] : games) {
      const Millis grace = now() - all_up_since > seconds(2) ? Millis(120) : seconds(2);
      ASSERT_TRUE(game.over || now() < game.deadline + grace) << id << " was not flagged";
    }
  }
  for (const auto& [id, game] : games) EXPECT_TRUE(game.over || now() < game.deadline);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomExpiries, testing::Range<std::uint64_t>(1, 9));

}  // namespace
}  // namespace komadai::clock
