// What the game service may rely on when it asks for clocks: the real clock service over gRPC, on a
// store in memory, and the fake of the game service's own tests. A long random game of requests
// shows that both answer alike.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/memory_live_store.h"
#include "libs/rpc/testing/test_server.h"
#include "services/clock/bind.h"
#include "services/game/ports/remote_clock.h"
#include "services/game/testing/fakes.h"

namespace komadai::game {
namespace {

using timecontrol::Reading;
using timecontrol::TimeControl;

class HandTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_ms_.load()); }
  void Set(TimePoint now) { now_ms_.store(ToUnixMillis(now)); }

 private:
  std::atomic<std::int64_t> now_ms_{1'700'000'000'000};
};

class NoServices final : public rpc::Component {
 public:
  std::vector<rpc::Service*> Services() override { return {}; }
};

// A clock port with all that is behind it.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual ClockPort& port() = 0;
};

class Fake final : public Subject {
 public:
  explicit Fake(const TimeSource& time) : clock_(time) {}
  ClockPort& port() override { return clock_; }

 private:
  FakeClock clock_;
};

// The service without its ticker: no flag falls here, the one thing that the fake lacks.
class Real final : public Subject {
 public:
  explicit Real(const TimeSource& time)
      : store_(std::make_shared<livestore::MemoryLiveStore>(time)) {
    rpc::ComponentSpec game;
    game.name = "game";
    game.dependencies = {"clock"};
    game.bind = [this](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
      clock_ = std::make_unique<RemoteClock>(context);
      return std::unique_ptr<rpc::Component>(std::make_unique<NoServices>());
    };
    server_ = std::make_unique<rpc::TestServer>(std::vector<rpc::ComponentSpec>{
        clock::ClockComponentByHand(store_, time, [](clock::Expiries&) {}), std::move(game)});
  }
  ClockPort& port() override { return *clock_; }

 private:
  std::shared_ptr<livestore::LiveStore> store_;
  std::unique_ptr<RemoteClock> clock_;
  std::unique_ptr<rpc::TestServer> server_;
};

enum class Kind { kFake, kReal };

std::unique_ptr<Subject> Make(Kind kind, const TimeSource& time) {
  if (kind == Kind::kFake) return std::make_unique<Fake>(time);
  return std::make_unique<Real>(time);
}

TimeControl Control(std::int64_t main_ms) {
  TimeControl control;
  control.first.main = Millis(main_ms);
  control.second = control.first;
  return control;
}

// What came of a request, in words that two clocks can be compared by.
std::string Words(const Reading& reading) {
  std::string words = "ply " + std::to_string(reading.ply) + " at " +
                      std::to_string(ToUnixMillis(reading.at)) + " running " +
                      (reading.running ? SideName(*reading.running) : "none") +
                      (reading.paused ? " paused" : "") + " deadline " +
                      (reading.deadline ? std::to_string(ToUnixMillis(*reading.deadline)) : "none");
  for (const timecontrol::SideReading* side : {&reading.first, &reading.second}) {
    words += " | main " + std::to_string(side->main_left.count()) + " period " +
             std::to_string(side->period_index) + "/" + std::to_string(side->periods_left) + "/" +
             std::to_string(side->period_left.count()) + " delay " +
             std::to_string(side->delay_left.count()) + " used " +
             std::to_string(side->used.count()) + " lag " +
             std::to_string(side->compensated.count());
  }
  return words;
}

std::string Words(const Result<Reading>& result) {
  return result ? Words(*result) : result.error().reason();
}

std::string Words(const Result<PressedClock>& result) {
  if (!result) return result.error().reason();
  return Words(result->reading) + " move " + std::to_string(result->used.count());
}

// Asks a port, in short.
class Player {
 public:
  explicit Player(ClockPort& port) : port_(port) {}

  Result<Reading> Start(const TimeControl& control, TimePoint at, Side side = Side::kFirst) {
    return SyncWait(port_.Start(Call(), id, control, side, at));
  }
  Result<PressedClock> Press(int ply, Side side, TimePoint at,
                             std::optional<Millis> thinking = std::nullopt) {
    return SyncWait(port_.Press(Call(), id, ply, side, at, thinking));
  }
  Result<Reading> Read() { return SyncWait(port_.Read(Call(), id)); }
  Result<Reading> Stop(TimePoint at) { return SyncWait(port_.Stop(Call(), id, at)); }
  Result<Reading> AddTime(const std::string& request, Side side, Millis add, TimePoint at) {
    return SyncWait(port_.AddTime(Call(), id, request, side, add, at));
  }
  Result<Reading> Rewind(const std::string& request, int ply, Side side, TimePoint at,
                         bool restart = false) {
    return SyncWait(port_.Rewind(Call(), id, request, ply, side, at, restart));
  }
  Result<Reading> Pause(const std::string& request, int ply, TimePoint at) {
    return SyncWait(port_.Pause(Call(), id, request, ply, at));
  }
  Result<Reading> Resume(const std::string& request, int ply, TimePoint at) {
    return SyncWait(port_.Resume(Call(), id, request, ply, at));
  }

  std::string id = "g";

 private:
  rpc::Call Call() { return rpc::Call::Background("clock-port-test", time_, Millis(20'000)); }

  SystemTimeSource time_;  // of deadlines of calls, not of clocks
  ClockPort& port_;
};

class ClockPortTest : public testing::TestWithParam<Kind> {
 protected:
  TimePoint At(std::int64_t ms) const { return start_ + Millis(ms); }

  // Ten seconds a side; plies 0, 1 and 2 pressed after 1, 2 and 3 seconds.
  void ThreePlies() {
    ASSERT_TRUE(clock_.Start(Control(10'000), At(0)));
    for (int ply = 0; ply < 3; ++ply) {
      const Side side = ply % 2 == 0 ? Side::kFirst : Side::kSecond;
      ASSERT_TRUE(clock_.Press(ply, side, At(1000 * (ply + 1))));
    }
    time_.Set(At(3000));
  }

  HandTime time_;
  const TimePoint start_ = time_.Now();
  const std::unique_ptr<Subject> subject_ = Make(GetParam(), time_);
  Player clock_{subject_->port()};
};

TEST_P(ClockPortTest, AClockThatWasNeverStartedIsNotFound) {
  EXPECT_EQ(Words(clock_.Read()), "CLOCK_NOT_FOUND");
  EXPECT_EQ(Words(clock_.Press(0, Side::kFirst, At(1))), "CLOCK_NOT_FOUND");
  EXPECT_EQ(Words(clock_.Stop(At(1))), "CLOCK_NOT_FOUND");
  EXPECT_EQ(Words(clock_.Pause("request-1", 0, At(1))), "CLOCK_NOT_FOUND");
}

TEST_P(ClockPortTest, AStartIsRepeatableAndOtherTimeIsRefused) {
  const Result<Reading> started = clock_.Start(Control(10'000), At(0));
  ASSERT_TRUE(started);
  EXPECT_EQ(started->deadline, At(10'000));
  time_.Set(At(2000));
  const Result<Reading> again = clock_.Start(Control(10'000), At(500));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->deadline, At(10'000));
  EXPECT_EQ(again->first.main_left, Millis(8000)) << "as it stands";
  EXPECT_EQ(Words(clock_.Start(Control(20'000), At(0))), "CLOCK_EXISTS");
}

TEST_P(ClockPortTest, AnEarlierPressGetsItsFirstAnswerAgain) {
  ASSERT_TRUE(clock_.Start(Control(10'000), At(0)));
  const std::string first = Words(clock_.Press(0, Side::kFirst, At(1000)));
  ASSERT_TRUE(clock_.Press(1, Side::kSecond, At(3000)));
  EXPECT_EQ(Words(clock_.Press(0, Side::kFirst, At(4000))), first);
  EXPECT_EQ(Words(clock_.Press(3, Side::kSecond, At(4000))), "STALE_PLY");
  EXPECT_EQ(Words(clock_.Press(2, Side::kSecond, At(4000))), "OTHER_SIDE_TO_MOVE");
  EXPECT_EQ(Words(clock_.Press(2, Side::kFirst, At(12'000))), "TIME_IS_UP");
}

TEST_P(ClockPortTest, ATakebackReturnsToAnEarlierTurnButNotToAnEarlierTime) {
  ThreePlies();
  EXPECT_EQ(Words(clock_.Rewind("request-1", 1, Side::kFirst, At(3500))), "OTHER_SIDE_TO_MOVE");
  // Received before the running turn began: the turn does not begin earlier than that.
  const Result<Reading> back = clock_.Rewind("request-2", 1, Side::kSecond, At(2500));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->ply, 1);
  EXPECT_EQ(back->deadline, At(13'000));
  EXPECT_EQ(Words(clock_.Press(1, Side::kSecond, At(2400))), "STALE_PLY") << "of the turn undone";
  EXPECT_TRUE(clock_.Press(1, Side::kSecond, At(3500)));
}

TEST_P(ClockPortTest, ARestartedTurnStillTakesAPressReceivedBefore) {
  ThreePlies();
  ASSERT_TRUE(clock_.Rewind("request-1", 3, Side::kSecond, At(6000), true));
  EXPECT_TRUE(clock_.Press(3, Side::kSecond, At(5000)));
}

TEST_P(ClockPortTest, AnAdjustmentHappensOnceForItsRequest) {
  ThreePlies();
  ASSERT_TRUE(clock_.AddTime("request-1", Side::kFirst, Millis(5000), At(3000)));
  const Result<Reading> again = clock_.AddTime("request-1", Side::kFirst, Millis(5000), At(3000));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->first.main_left, Millis(13'000));
  EXPECT_EQ(Words(clock_.AddTime("short", Side::kFirst, Millis(5000), At(3000))),
            "INVALID_REQUEST");
}

TEST_P(ClockPortTest, APauseUndoesThePressOfItsPly) {
  ThreePlies();
  ASSERT_TRUE(clock_.Pause("request-1", 2, At(3000)));
  const Result<Reading> paused = clock_.Read();
  ASSERT_TRUE(paused);
  EXPECT_EQ(paused->ply, 2);
  EXPECT_TRUE(paused->paused);
  EXPECT_EQ(Words(clock_.Pause("request-2", 1, At(3000))), "CLOCK_PAUSED");
  EXPECT_EQ(Words(clock_.Rewind("request-3", 1, Side::kSecond, At(3000))), "CLOCK_PAUSED");
  EXPECT_EQ(Words(clock_.Resume("request-4", 1, At(9000))), "STALE_PLY");
  const Result<Reading> resumed = clock_.Resume("request-5", 2, At(9000));
  ASSERT_TRUE(resumed);
  EXPECT_EQ(resumed->deadline, At(17'000)) << "1 s of ply 0 and 1 s of ply 2 are used";
}

TEST_P(ClockPortTest, AStoppedClockIsOnlyRead) {
  ThreePlies();
  ASSERT_TRUE(clock_.Stop(At(4000)));
  EXPECT_TRUE(clock_.Stop(At(5000)));
  EXPECT_TRUE(clock_.Press(0, Side::kFirst, At(5000))) << "a repeat";
  EXPECT_EQ(Words(clock_.Press(3, Side::kSecond, At(3500))), "CLOCK_STOPPED");
  EXPECT_EQ(Words(clock_.Rewind("request-1", 1, Side::kSecond, At(5000))), "CLOCK_STOPPED");
  EXPECT_EQ(Words(clock_.Pause("request-2", 2, At(5000))), "CLOCK_STOPPED");
}

INSTANTIATE_TEST_SUITE_P(Clocks, ClockPortTest, testing::Values(Kind::kFake, Kind::kReal),
                         [](const auto& suite) {
                           return suite.param == Kind::kFake ? "fake" : "real";
                         });

// Some request of some age about some ply, mostly a sensible one.
class Requests {
 public:
  explicit Requests(std::uint64_t seed) : random_(seed) {}

  TimeControl AnyControl() {
    TimeControl control;
    control.first.main = Millis(1000 * Below(4));
    control.first.byoyomi = Millis(500 * Below(3));
    control.first.byoyomi_periods = Below(3);
    if (control.first.byoyomi == Millis(0)) control.first.byoyomi_periods = 0;
    control.first.increment = Millis(200 * Below(2));
    control.first.delay = Millis(100 * Below(2));
    if (Below(4) != 0) control.second = control.first;  // else no clock
    if (Below(3) == 0) control.lag = {.per_move = Millis(300), .per_game = Millis(700)};
    return control;
  }

  std::function<std::string(Player&)> Next(TimePoint now, int ply, Side to_move) {
    const TimePoint at = Below(3) == 0 ? now - Millis(Below(1500)) : now;
    // Not below 0: the service refuses that when it reads the request, before any clock is asked.
    const int about = std::max(0, ply + (Below(3) == 0 ? Below(5) - 3 : 0));
    const bool fits = (ply - about) % 2 == 0;
    const Side side = fits == (Below(8) != 0) ? to_move : Opponent(to_move);
    // Sometimes a repeat, of a recent request or of one that is forgotten.
    const std::string id = "request-" + std::to_string(Below(6) == 0 ? Below(ids_) : ids_++);
    switch (Below(10)) {
      case 0:
        return [=](Player& clock) { return Words(clock.AddTime(id, side, Millis(1500), at)); };
      case 1:
        return [=, restart = Below(2) == 0](Player& clock) {
          return Words(clock.Rewind(id, about, side, at, restart));
        };
      case 2:
        return [=](Player& clock) { return Words(clock.Pause(id, about, at)); };
      case 3:
      case 4:
        return [=](Player& clock) { return Words(clock.Resume(id, about, at)); };
      case 5:
        if (Below(8) != 0) return [](Player& clock) { return Words(clock.Read()); };
        return [=](Player& clock) { return Words(clock.Stop(at)); };
      default: {
        std::optional<Millis> thinking;
        if (Below(3) == 0) thinking = Millis(Below(600));
        return [=](Player& clock) { return Words(clock.Press(about, side, at, thinking)); };
      }
    }
  }

  int Below(int bound) {
    return static_cast<int>(random_.Below(static_cast<std::uint64_t>(bound)));
  }

 private:
  SeededRandom random_;
  int ids_ = 1;
};

// Requests for one game, the same for both; how many of them were granted.
void CompareAGame(std::uint64_t seed, HandTime& time, ClockPort& fake_port, ClockPort& real_port,
                  std::map<std::string, int>& seen) {
  Requests requests(seed);
  Player fake(fake_port);
  Player real(real_port);
  fake.id = real.id = "game-" + std::to_string(seed);
  const TimeControl control = requests.AnyControl();
  ASSERT_EQ(Words(fake.Start(control, time.Now())), Words(real.Start(control, time.Now())));
  for (int i = 0; i < 60; ++i) {
    time.Set(time.Now() + Millis(requests.Below(500)));
    const Result<Reading> now = fake.Read();
    if (!now) return;  // the control itself was refused
    const Side to_move = now->running.value_or(now->ply % 2 == 0 ? Side::kFirst : Side::kSecond);
    const auto request = requests.Next(time.Now(), now->ply, to_move);
    const std::string of_fake = request(fake);
    ASSERT_EQ(of_fake, request(real)) << "request " << i << " of the game of seed " << seed;
    ++seen[of_fake.starts_with("ply ") ? "granted" : of_fake];
  }
  ASSERT_EQ(Words(fake.Read()), Words(real.Read())) << "seed " << seed;
}

TEST(FakeClockTest, AnswersWhateverTheServiceAnswers) {
  HandTime time;
  Fake fake(time);
  Real real(time);
  std::map<std::string, int> seen;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CompareAGame(seed, time, fake.port(), real.port(), seen);
    if (HasFatalFailure()) return;
  }
  // The comparison means something only if it got to all of these.
  for (const char* outcome :
       {"granted", "STALE_PLY", "TIME_IS_UP", "CLOCK_PAUSED", "CLOCK_NOT_PAUSED", "CLOCK_STOPPED",
        "OTHER_SIDE_TO_MOVE", "NO_CLOCK"}) {
    EXPECT_GT(seen[outcome], 0) << outcome;
  }
}

}  // namespace
}  // namespace komadai::game
