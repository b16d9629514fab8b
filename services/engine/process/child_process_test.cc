#include "services/engine/process/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai::engine {
namespace {

// Collects what a child does; waits are conditions with a generous deadline.
class ChildProcessTest : public ::testing::Test {
 protected:
  ~ChildProcessTest() override {
    loop_.RunAndWait([this] { child_.reset(); });
  }

  Status Spawn(std::vector<std::string> argv) {
    Status outcome;
    loop_.RunAndWait([&] {
      ChildProcess::Callbacks callbacks;
      callbacks.on_line = [this](std::string_view line) {
        const MutexLock lock(mutex_);
        seen_.lines.emplace_back(line);
        changed_.NotifyAll();
      };
      callbacks.on_exit = [this](std::string why) {
        const MutexLock lock(mutex_);
        seen_.exits.push_back(std::move(why));
        changed_.NotifyAll();
      };
      auto spawned = ChildProcess::Spawn(loop_, std::move(argv), std::move(callbacks));
      if (spawned) {
        child_ = std::move(*spawned);
      } else {
        outcome = spawned.error();
      }
    });
    return outcome;
  }

  void Write(std::string line) {
    loop_.RunAndWait([&] { child_->WriteLine(line); });
  }

  struct Seen {
    std::vector<std::string> lines;
    std::vector<std::string> exits;
  };

  template <typename Condition>
  bool Eventually(Condition condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    MutexLock lock(mutex_);
    while (!condition(seen_)) {
      if (!changed_.WaitUntil(lock, until)) return condition(seen_);
    }
    return true;
  }

  std::string WaitForExit() {
    EXPECT_TRUE(Eventually([](const Seen& seen) { return !seen.exits.empty(); }));
    const MutexLock lock(mutex_);
    return seen_.exits.empty() ? "" : seen_.exits.front();
  }

  std::vector<std::string> Lines() {
    const MutexLock lock(mutex_);
    return seen_.lines;
  }

  Mutex mutex_;
  CondVar changed_;
  Seen seen_ KOMADAI_GUARDED_BY(mutex_);
  std::unique_ptr<ChildProcess> child_;
  EventLoop loop_;  // last: its thread uses the members above
};

TEST_F(ChildProcessTest, SpeaksInLines) {
  ASSERT_TRUE(Spawn({"cat"}));
  Write("one");
  Write("two");
  EXPECT_TRUE(Eventually([](const Seen& seen) { return seen.lines.size() == 2; }));
  EXPECT_EQ(Lines(), (std::vector<std::string>{"one", "two"}));
}

TEST_F(ChildProcessTest, LineEndsOfOtherSystemsAreTakenOff) {
  ASSERT_TRUE(Spawn({"printf", "a\\r\\nb\\n"}));
  WaitForExit();
  EXPECT_EQ(Lines(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(ChildProcessTest, AMissingProgramIsAnError) {
  const Status outcome = Spawn({"/nonexistent/engine"});
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(outcome.error().Is(kEngineNotStartable));
  EXPECT_FALSE(Spawn({"no-such-program-anywhere"}));
}

TEST_F(ChildProcessTest, ReportsTheExitStatusAndTheLastComplaint) {
  ASSERT_TRUE(Spawn({"sh", "-c", "echo first >&2; echo no weights >&2; exit 3"}));
  EXPECT_EQ(WaitForExit(), "exited with status 3 (stderr: no weights)");
}

TEST_F(ChildProcessTest, ReportsADeathBySignal) {
  ASSERT_TRUE(Spawn({"cat"}));
  kill(child_->pid(), SIGKILL);
  EXPECT_EQ(WaitForExit(), "killed by signal 9");
}

TEST_F(ChildProcessTest, ReadsTheLastLinesOfAChildThatEnded) {
  ASSERT_TRUE(Spawn({"sh", "-c", "seq 1 20000"}));
  WaitForExit();
  const std::vector<std::string> lines = Lines();
  ASSERT_EQ(lines.size(), 20'000u);
  EXPECT_EQ(lines.back(), "20000");
}

TEST_F(ChildProcessTest, AnEndlessLineEndsTheChild) {
  ASSERT_TRUE(Spawn({"sh", "-c", "tr '\\0' x </dev/zero"}));
  EXPECT_EQ(WaitForExit(), "sent a line without an end");
}

TEST_F(ChildProcessTest, AFloodEndsTheChild) {
  ASSERT_TRUE(Spawn({"yes"}));
  EXPECT_EQ(WaitForExit(), "floods its output");
}

TEST_F(ChildProcessTest, AFloodOfComplaintsEndsTheChildToo) {
  ASSERT_TRUE(Spawn({"sh", "-c", "yes >&2"}));
  EXPECT_EQ(WaitForExit().substr(0, 17), "floods its output");
}

TEST_F(ChildProcessTest, AChildThatDoesNotReadIsKilledBeforeItsInputFillsTheMemory) {
  ASSERT_TRUE(Spawn({"sleep", "1000"}));
  const std::string line(64 * 1024, 'x');
  for (std::size_t sent = 0; sent <= ChildProcess::kMaxUnsentBytes + 256 * 1024;
       sent += line.size()) {
    Write(line);
  }
  EXPECT_EQ(WaitForExit(), "does not read its input");
}

TEST_F(ChildProcessTest, AChildThatClosesItsInputLivesUntilItIsKilled) {
  ASSERT_TRUE(Spawn({"sh", "-c", "exec <&-; echo closed; exec sleep 1000"}));
  EXPECT_TRUE(Eventually([](const Seen& seen) { return seen.lines.size() == 1; }));
  Write("into the void");
  loop_.RunAndWait([this] { child_->Kill("enough"); });
  EXPECT_EQ(WaitForExit(), "enough");
}

TEST_F(ChildProcessTest, TheWholeProcessGroupIsKilled) {
  // The grandchild inherits the output: only when it is dead too does a reader see the end.
  ASSERT_TRUE(Spawn({"sh", "-c", "sleep 1000 & echo $!; wait"}));
  EXPECT_TRUE(Eventually([](const Seen& seen) { return seen.lines.size() == 1; }));
  const pid_t grandchild = std::stoi(Lines().at(0));
  loop_.RunAndWait([this] { child_->Kill("enough"); });
  WaitForExit();
  // Its new parent may take a moment to reap it.
  for (int i = 0; i < 6'000 && kill(grandchild, 0) == 0; ++i) {
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    if (!(stat >> pid >> name >> state) || state == "Z") return;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(10);
    MutexLock lock(mutex_);
    changed_.WaitUntil(lock, until);
  }
  EXPECT_NE(kill(grandchild, 0), 0);
}

TEST_F(ChildProcessTest, TheChildInheritsNothingButItsStreams) {
  ASSERT_TRUE(Spawn({"sh", "-c", "ls /proc/self/fd | tr '\\n' ' '; echo"}));
  WaitForExit();
  const std::vector<std::string> lines = Lines();
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0], "0 1 2 3 ");  // 3 is the folder that ls itself is reading
}

TEST_F(ChildProcessTest, TheOwnerMayGoWhileTheChildSpeaks) {
  ASSERT_TRUE(Spawn({"sh", "-c", "while :; do echo x; done"}));
  EXPECT_TRUE(Eventually([](const Seen& seen) { return seen.lines.size() > 10; }));
  loop_.RunAndWait([this] { child_.reset(); });
  const MutexLock lock(mutex_);
  EXPECT_TRUE(seen_.exits.empty()) << "no callback after the owner let go";
}

}  // namespace
}  // namespace komadai::engine
