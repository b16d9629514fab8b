#include "services/engine/process/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <vector>

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
        const std::lock_guard lock(mutex_);
        lines_.emplace_back(line);
        changed_.notify_all();
      };
      callbacks.on_exit = [this](std::string why) {
        const std::lock_guard lock(mutex_);
        exits_.push_back(std::move(why));
        changed_.notify_all();
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

  template <typename Condition>
  bool Eventually(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(60), condition);
  }

  std::string WaitForExit() {
    EXPECT_TRUE(Eventually([this] { return !exits_.empty(); }));
    const std::lock_guard lock(mutex_);
    return exits_.empty() ? "" : exits_.front();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::vector<std::string> exits_;
  std::unique_ptr<ChildProcess> child_;
  EventLoop loop_;  // last: its thread uses the members above
};

TEST_F(ChildProcessTest, SpeaksInLines) {
  ASSERT_TRUE(Spawn({"cat"}));
  Write("one");
  Write("two");
  EXPECT_TRUE(Eventually([this] { return lines_.size() == 2; }));
  EXPECT_EQ(lines_, (std::vector<std::string>{"one", "two"}));
}

TEST_F(ChildProcessTest, LineEndsOfOtherSystemsAreTakenOff) {
  ASSERT_TRUE(Spawn({"printf", "a\\r\\nb\\n"}));
  WaitForExit();
  EXPECT_EQ(lines_, (std::vector<std::string>{"a", "b"}));
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
  ASSERT_EQ(lines_.size(), 20'000u);
  EXPECT_EQ(lines_.back(), "20000");
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
  EXPECT_TRUE(Eventually([this] { return lines_.size() == 1; }));
  Write("into the void");
  loop_.RunAndWait([this] { child_->Kill("enough"); });
  EXPECT_EQ(WaitForExit(), "enough");
}

TEST_F(ChildProcessTest, TheWholeProcessGroupIsKilled) {
  // The grandchild inherits the output: only when it is dead too does a reader see the end.
  ASSERT_TRUE(Spawn({"sh", "-c", "sleep 1000 & echo $!; wait"}));
  EXPECT_TRUE(Eventually([this] { return lines_.size() == 1; }));
  const pid_t grandchild = std::stoi(lines_[0]);
  loop_.RunAndWait([this] { child_->Kill("enough"); });
  WaitForExit();
  // Its new parent may take a moment to reap it.
  for (int i = 0; i < 6'000 && kill(grandchild, 0) == 0; ++i) {
    std::unique_lock lock(mutex_);
    std::ifstream stat("/proc/" + std::to_string(grandchild) + "/stat");
    std::string pid, name, state;
    if (!(stat >> pid >> name >> state) || state == "Z") return;
    changed_.wait_for(lock, std::chrono::milliseconds(10));
  }
  EXPECT_NE(kill(grandchild, 0), 0);
}

TEST_F(ChildProcessTest, TheChildInheritsNothingButItsStreams) {
  ASSERT_TRUE(Spawn({"sh", "-c", "ls /proc/self/fd | tr '\\n' ' '; echo"}));
  WaitForExit();
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_EQ(lines_[0], "0 1 2 3 ");  // 3 is the folder that ls itself is reading
}

TEST_F(ChildProcessTest, TheOwnerMayGoWhileTheChildSpeaks) {
  ASSERT_TRUE(Spawn({"sh", "-c", "while :; do echo x; done"}));
  EXPECT_TRUE(Eventually([this] { return lines_.size() > 10; }));
  loop_.RunAndWait([this] { child_.reset(); });
  const std::lock_guard lock(mutex_);
  EXPECT_TRUE(exits_.empty()) << "no callback after the owner let go";
}

}  // namespace
}  // namespace komadai::engine
