// The commands when the store fails: what was answered has happened, once; what failed can be
// repeated.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libs/base/random.h"
#include "libs/livestore/memory_live_store.h"
#include "services/clock/testing/replicas.h"

namespace komadai::clock {
namespace {

using livestore::Fault;
using livestore::Operation;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::HasSubstr;

timecontrol::TimeControl Control() {
  const timecontrol::SideTime time{
      .main = minutes(5), .byoyomi = seconds(30), .byoyomi_periods = 3};
  return {.first = time, .second = time};
}

class ClocksFaultsTest : public testing::Test {
 protected:
  // The next commit meets this fault.
  void FailNextCommit(Fault fault) {
    auto armed = std::make_shared<bool>(true);
    a_.fault = [armed, fault](const Operation& operation) {
      if (operation.kind != Operation::Kind::kCommit || !*armed) return Fault::kNone;
      *armed = false;
      return fault;
    };
  }

  HandClock time_;
  livestore::MemoryLiveStore memory_{time_};
  Replica a_{memory_, time_, "a"};
};

TEST_F(ClocksFaultsTest, ACommandInDoubtIsAnsweredAsIfNothingHadHappened) {
  for (const Fault fault : {Fault::kInDoubtDone, Fault::kInDoubtNotDone, Fault::kConflict}) {
    const std::string game = "game-" + std::to_string(static_cast<int>(fault));
    FailNextCommit(fault);
    ASSERT_TRUE(a_.Start(game, Control(), kStart));
    FailNextCommit(fault);
    const Result<Answer> pressed = a_.Press(game, 0, kStart + seconds(4));
    ASSERT_TRUE(pressed) << pressed.error().ToString();
    EXPECT_EQ(pressed->used, seconds(4));
    EXPECT_EQ(pressed->reading.ply, 1);
    FailNextCommit(fault);
    const Result<Answer> added =
        a_.AddTime(game, "gift-001", Side::kSecond, seconds(15), kStart + seconds(4));
    ASSERT_TRUE(added);
    EXPECT_EQ(added->reading.second.main_left, minutes(5) + seconds(15));
    FailNextCommit(fault);
    const Result<Answer> rewound = a_.Rewind(game, "takeback", 0, kStart + seconds(6));
    ASSERT_TRUE(rewound);
    EXPECT_EQ(rewound->reading.ply, 0);
    FailNextCommit(fault);
    const Result<Answer> stopped = a_.Stop(game, kStart + seconds(7));
    ASSERT_TRUE(stopped);
    EXPECT_EQ(stopped->reading.first.used, seconds(1));
  }
}

TEST_F(ClocksFaultsTest, AStoreThatIsAwayIsSaidToBeAndNothingHappens) {
  ASSERT_TRUE(a_.Start("g", Control(), kStart));
  a_.fault = [](const Operation&) { return Fault::kUnavailable; };
  const Result<Answer> pressed = a_.Press("g", 0, kStart + seconds(4));
  ASSERT_FALSE(pressed);
  EXPECT_EQ(pressed.error().code(), Code::kUnavailable);
  a_.fault = [](const Operation&) { return Fault::kNone; };
  EXPECT_EQ(a_.Get("g")->reading.ply, 0);
  EXPECT_TRUE(a_.Press("g", 0, kStart + seconds(5)));
}

TEST_F(ClocksFaultsTest, EndlessConflictsEndInContention) {
  ASSERT_TRUE(a_.Start("g", Control(), kStart));
  a_.fault = [](const Operation& operation) {
    return operation.kind == Operation::Kind::kCommit ? Fault::kConflict : Fault::kNone;
  };
  const Result<Answer> pressed = a_.Press("g", 0, kStart + seconds(4));
  ASSERT_FALSE(pressed);
  EXPECT_TRUE(pressed.error().Is(kContention));
  EXPECT_THAT(a_.Metrics(), HasSubstr("komadai_clock_retries_total{cause=\"conflict\"} 9"));
}

TEST_F(ClocksFaultsTest, AStoppedClockIsForgottenAfterADay) {
  ASSERT_TRUE(a_.Start("g", Control(), kStart));
  ASSERT_TRUE(a_.Stop("g", kStart));
  time_.Advance(hours(23));
  EXPECT_TRUE(a_.Get("g"));
  time_.Advance(hours(2));
  const Result<Answer> read = a_.Get("g");
  ASSERT_FALSE(read);
  EXPECT_TRUE(read.error().Is(kClockNotFound));
}

TEST_F(ClocksFaultsTest, TheJournalOfAnEndlessGameIsBounded) {
  ASSERT_TRUE(a_.Start("g", {}, kStart));
  const int plies = static_cast<int>(ClockStore::kKeptPresses) + 50;
  for (int ply = 0; ply < plies; ++ply) ASSERT_TRUE(a_.Press("g", ply, kStart + seconds(ply)));
  EXPECT_TRUE(a_.Press("g", 60, kStart + hours(9)));
  const Result<Answer> forgotten = a_.Press("g", 10, kStart + hours(9));
  ASSERT_FALSE(forgotten);
  EXPECT_TRUE(forgotten.error().Is(kStalePly));
}

// A game on three replicas whose store fails in every way, beside the same game on a bare clock.
class RandomFaults : public testing::TestWithParam<std::uint64_t> {};

class FaultyGame {
 public:
  explicit FaultyGame(std::uint64_t seed) : random_(seed) {
    for (const char* name : {"a", "b", "c"}) {
      replicas_.push_back(std::make_unique<Replica>(memory_, time_, name));
      replicas_.back()->fault = [this](const Operation&) { return AnyFault(); };
    }
  }
  ~FaultyGame() {
    random_faults_ = false;
    replicas_.clear();
  }

  // Repeats the call, on any replica, until it is answered for good.
  template <typename Call>
  Result<Answer> Persist(Call call) {
    for (;;) {
      Replica& replica = *replicas_[random_.Below(replicas_.size())];
      const Result<Answer> answer = call(replica);
      const bool again =
          !answer && (answer.error().code() == Code::kUnavailable ||
                      answer.error().Is(kOverloaded) || answer.error().Is(kContention));
      if (!again) {
        // Sometimes the answer is lost on its way and the caller asks again.
        if (random_.Below(4) == 0) continue;
        return answer;
      }
    }
  }
  Random& random() { return random_; }

 private:
  Fault AnyFault() {
    if (!random_faults_ || random_.Below(3) != 0) return Fault::kNone;
    constexpr Fault kFaults[] = {Fault::kUnavailable, Fault::kOverloaded, Fault::kInDoubtNotDone,
                                 Fault::kInDoubtDone, Fault::kConflict};
    return kFaults[random_.Below(std::size(kFaults))];
  }

  SeededRandom random_;
  bool random_faults_ = true;
  HandClock time_;
  livestore::MemoryLiveStore memory_{time_};
  std::vector<std::unique_ptr<Replica>> replicas_;
};

TEST_P(RandomFaults, AreNotSeenInTheClock) {
  SCOPED_TRACE("seed " + std::to_string(GetParam()));
  FaultyGame game(GetParam());
  ASSERT_TRUE(game.Persist([](Replica& replica) { return replica.Start("g", Control(), kStart); }));
  LiveClock model = StartClock(Control(), Side::kFirst, kStart).value();
  std::vector<LiveClock> before_ply{model};
  TimePoint at = kStart;
  for (int step = 0; step < 60; ++step) {
    at += Millis(static_cast<int>(game.random().Below(4000)));
    const int ply = model.state.turn.ply;
    const std::uint64_t kind = game.random().Below(10);
    Result<Answer> answer = Error(kInternal, "not answered");
    if (kind < 7) {
      answer = game.Persist([&](Replica& replica) { return replica.Press("g", ply, at); });
      model.state = timecontrol::Press(model.state, model.state.turn.side, at)->state;
      before_ply.resize(static_cast<std::size_t>(ply) + 1);
      before_ply.push_back(model);
    } else if (kind == 7) {
      const std::string id = "gift-" + std::to_string(step);
      answer = game.Persist([&](Replica& replica) {
        return replica.AddTime("g", id, Side::kSecond, seconds(15), at);
      });
      model.state = timecontrol::AddTime(model.state, Side::kSecond, seconds(15), at).value();
      before_ply.back() = model;
    } else {
      const std::string id = "takeback-" + std::to_string(step);
      const int back = static_cast<int>(game.random().Below(before_ply.size()));
      answer = game.Persist([&](Replica& replica) { return replica.Rewind("g", id, back, at); });
      const TurnStart turn = before_ply[static_cast<std::size_t>(back)].state.turn;
      model.state = timecontrol::Rewind(model.state, turn, at).value();
      before_ply.resize(static_cast<std::size_t>(back) + 1);
    }
    ASSERT_TRUE(answer) << answer.error().ToString();
    ASSERT_EQ(answer->reading, timecontrol::Read(model.state, at)) << "step " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFaults, testing::Range<std::uint64_t>(1, 101));

}  // namespace
}  // namespace komadai::clock
