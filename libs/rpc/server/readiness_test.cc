#include "libs/rpc/server/readiness.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "libs/base/mutex.h"
#include "libs/rpc/server/drain.h"

namespace komadai::rpc {
namespace {

using State = ReadinessState;

TEST(ReadinessMachineTest, BecomesReadyWithTheFirstGoodRound) {
  ReadinessMachine machine;
  EXPECT_EQ(machine.state(), State::kStarting);
  machine.Round(false);
  EXPECT_EQ(machine.state(), State::kStarting);
  machine.Round(true);
  EXPECT_EQ(machine.state(), State::kReady);
}

TEST(ReadinessMachineTest, ASingleFailureDoesNotDegrade) {
  ReadinessMachine machine;
  machine.Round(true);
  for (int i = 0; i < 10; ++i) {
    machine.Round(false);
    machine.Round(true);
    EXPECT_EQ(machine.state(), State::kReady);
  }
  machine.Round(false);
  machine.Round(false);
  EXPECT_EQ(machine.state(), State::kDegraded);
}

TEST(ReadinessMachineTest, ASingleSuccessDoesNotRecover) {
  ReadinessMachine machine;
  machine.Round(true);
  machine.Round(false);
  machine.Round(false);
  machine.Round(true);
  machine.Round(false);
  machine.Round(true);
  EXPECT_EQ(machine.state(), State::kDegraded);
  machine.Round(true);
  EXPECT_EQ(machine.state(), State::kReady);
}

TEST(ReadinessMachineTest, DrainingIsFinal) {
  ReadinessMachine machine;
  machine.Round(true);
  machine.Drain();
  machine.Round(true);
  EXPECT_EQ(machine.state(), State::kDraining);
  machine.Stop();
  machine.Drain();
  EXPECT_EQ(machine.state(), State::kStopped);
}

TEST(ReadinessMonitorTest, FollowsTheChecksOfEachComponent) {
  Mutex mutex;
  CondVar changed;
  std::map<std::string, State> states;
  std::atomic<int> mode = 0;  // 0: up, 1: down, 2: throws
  ReadinessMonitor monitor(Millis(1),
                           [&](const std::string& component, State state, const std::string&) {
                             const MutexLock lock(mutex);
                             states[component] = state;
                             changed.NotifyAll();
                           });
  const auto wait_for = [&](const std::string& component, State state) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    MutexLock lock(mutex);
    while (states[component] != state && changed.WaitUntil(lock, until)) {
    }
    return states[component] == state;
  };
  monitor.AddComponent("rules");
  monitor.AddCheck("game", "redis", [&]() -> Status {
    if (mode == 1) return Error(kUnavailable, "connection refused");
    if (mode == 2) throw std::runtime_error("driver");
    return {};
  });
  monitor.Start();
  EXPECT_TRUE(monitor.AllReady());
  mode = 1;
  EXPECT_TRUE(wait_for("game", State::kDegraded));
  EXPECT_FALSE(monitor.AllReady());
  EXPECT_EQ(monitor.state("rules"), State::kReady);
  mode = 0;
  EXPECT_TRUE(wait_for("game", State::kReady));
  mode = 2;
  EXPECT_TRUE(wait_for("game", State::kDegraded));
  monitor.Drain();
  EXPECT_TRUE(wait_for("rules", State::kDraining));
  monitor.Stop();
  EXPECT_EQ(monitor.state("rules"), State::kStopped);
}

class Member final : public Drainable {
 public:
  void OnDrain() override { ++drained; }
  std::atomic<int> drained = 0;
};

TEST(DrainSignalTest, ReachesMembersOnceAndLateComersAtOnce) {
  DrainSignal signal;
  const auto early = std::make_shared<Member>();
  const auto left = std::make_shared<Member>();
  signal.Join(early);
  signal.Join(left);
  signal.Join(std::make_shared<Member>());  // gone before the signal
  signal.Leave(left.get());
  EXPECT_FALSE(signal.IsDraining());
  signal.Raise();
  signal.Raise();
  EXPECT_TRUE(signal.IsDraining());
  EXPECT_EQ(early->drained, 1);
  EXPECT_EQ(left->drained, 0);
  const auto late = std::make_shared<Member>();
  signal.Join(late);
  EXPECT_EQ(late->drained, 1);
}

TEST(DrainSignalTest, JoinsRacingWithTheSignalAreNotMissed) {
  DrainSignal signal;
  std::vector<std::shared_ptr<Member>> members(2000);
  for (auto& member : members) member = std::make_shared<Member>();
  std::thread joiner([&] {
    for (const auto& member : members) signal.Join(member);
  });
  std::thread raiser([&] { signal.Raise(); });
  joiner.join();
  raiser.join();
  for (const auto& member : members) EXPECT_EQ(member->drained, 1);
}

}  // namespace
}  // namespace komadai::rpc
