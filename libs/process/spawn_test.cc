#include "libs/process/spawn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "libs/testing/temp_dir.h"

namespace komadai::process {
namespace {

std::string TextOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class SpawnTest : public ::testing::Test {
 protected:
  // Runs a line of shell to its end, with its output in the log; the exit status.
  int Run(const std::string& line) {
    options_.command = {"sh", "-c", line};
    const Result<pid_t> pid = Spawn(options_);
    if (!pid) return -1;
    int status = 0;
    EXPECT_EQ(waitpid(*pid, &status, 0), *pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string Log() const { return TextOf(options_.log_file); }

  komadai::testing::TempDir dir_;
  SpawnOptions options_{
      .command = {}, .log_file = dir_.File("log"), .directory = {}, .user_if_root = {}};
};

TEST_F(SpawnTest, OutputAndErrorsAreAppendedToTheLog) {
  EXPECT_EQ(Run("echo one; echo two >&2"), 0);
  EXPECT_EQ(Run("echo three; exit 3"), 3);
  EXPECT_EQ(Log(), "one\ntwo\nthree\n");
}

TEST_F(SpawnTest, AMissingProgramOrUserIsAnError) {
  for (const char* missing : {"no-such-program-anywhere", "/nonexistent/program"}) {
    options_.command = {missing};
    const Result<pid_t> pid = Spawn(options_);
    ASSERT_FALSE(pid);
    EXPECT_TRUE(pid.error().Is(kNotStarted));
  }
  if (geteuid() != 0) return;
  options_.command = {"true"};
  options_.user_if_root = "no-such-user";
  EXPECT_FALSE(Spawn(options_));
}

TEST_F(SpawnTest, ALogThatCannotBeOpenedIsAnError) {
  options_.log_file = "/nonexistent/log";
  EXPECT_EQ(Run("true"), -1);
}

TEST_F(SpawnTest, TheChildWorksInItsDirectory) {
  options_.directory = "/";
  EXPECT_EQ(Run("pwd"), 0);
  EXPECT_EQ(Log(), "/\n");
  options_.directory = "/nonexistent";
  EXPECT_EQ(Run("true"), 126);
}

TEST_F(SpawnTest, ARelativeProgramIsRelativeToThisProcess) {
  const std::string program = std::filesystem::relative("/bin/pwd").string();
  options_.command = {program};
  options_.directory = "/";
  const Result<pid_t> pid = Spawn(options_);
  ASSERT_TRUE(pid) << pid.error().ToString();
  int status = 0;
  ASSERT_EQ(waitpid(*pid, &status, 0), *pid);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(Log(), "/\n");
}

TEST_F(SpawnTest, TheChildInheritsNothingButItsStreams) {
  const int open_file = open("/dev/null", O_RDONLY);
  ASSERT_GT(open_file, 2);
  EXPECT_EQ(Run("ls /proc/self/fd | tr '\\n' ' '"), 0);
  EXPECT_EQ(Log(), "0 1 2 3 ");  // 3 is the folder that ls itself is reading
  close(open_file);
}

TEST_F(SpawnTest, StandardStreamsOfThisProcessMayBeExchanged) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(pipe2(pipe.data(), O_CLOEXEC), 0);
  const int own_output = dup(1);
  ASSERT_EQ(dup2(pipe[1], 1), 1);
  options_.log_file.clear();
  options_.out_fd = 2;
  options_.err_fd = 1;
  const int status = Run("echo complaint >&2");
  ASSERT_EQ(dup2(own_output, 1), 1);
  EXPECT_EQ(status, 0);
  std::array<char, 16> text{};
  const ssize_t count = read(pipe[0], text.data(), text.size());
  EXPECT_EQ(std::string(text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))),
            "complaint\n");
  for (const int fd : {pipe[0], pipe[1], own_output}) close(fd);
}

TEST_F(SpawnTest, BlockedSignalsAreNotInherited) {
  sigset_t terminate;
  sigset_t before;
  sigemptyset(&terminate);
  sigaddset(&terminate, SIGTERM);
  ASSERT_EQ(pthread_sigmask(SIG_BLOCK, &terminate, &before), 0);
  EXPECT_EQ(Run("grep SigBlk /proc/self/status"), 0);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(Log(), "SigBlk:\t0000000000000000\n");
}

TEST_F(SpawnTest, RootMayRunAProgramAsAnotherUser) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  options_.user_if_root = "nobody";
  EXPECT_EQ(Run("id -un"), 0);
  EXPECT_EQ(Log(), "nobody\n");
}

// As after a crash: nobody has killed the child, its parent thread is just gone.
void ExpectToDieWithItsThread(const std::string& user_if_root) {
  std::array<int, 2> out{};
  ASSERT_EQ(pipe2(out.data(), O_CLOEXEC), 0);
  pid_t child = 0;
  std::thread([&] {
    SpawnOptions options;
    options.command = {"sh", "-c", "echo up; exec sleep 1000"};
    options.out_fd = out[1];
    options.user_if_root = user_if_root;
    const Result<pid_t> pid = Spawn(options);
    ASSERT_TRUE(pid);
    child = *pid;
    char up = 0;
    EXPECT_EQ(read(out[0], &up, 1), 1);  // the program runs before this thread ends
  }).join();
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  for (const int fd : out) close(fd);
}

TEST_F(SpawnTest, TheChildDiesWithTheThreadThatStartedIt) { ExpectToDieWithItsThread(""); }

TEST_F(SpawnTest, TheChildOfAnotherUserDiesWithTheThreadToo) { ExpectToDieWithItsThread("nobody"); }

TEST_F(SpawnTest, TheChildLeadsAGroupOfItsOwn) {
  options_.command = {"sleep", "1000"};
  const Result<pid_t> pid = Spawn(options_);
  ASSERT_TRUE(pid);
  EXPECT_EQ(getpgid(*pid), *pid);
  EXPECT_EQ(kill(-*pid, SIGKILL), 0);
  EXPECT_EQ(waitpid(*pid, nullptr, 0), *pid);
}

}  // namespace
}  // namespace komadai::process
