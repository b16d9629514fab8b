// The main() of every server, as a process: the ready line, signals, exit codes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/auth/token.h"
#include "libs/rpc/error.h"
#include "libs/rpc/keep_grpc.h"

extern char** environ;

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kSecret[] = "0123456789abcdef0123456789abcdef";

class Process {
 public:
  explicit Process(std::vector<std::string> args) {
    const char* dir = std::getenv("KOMADAI_BIN_DIR");
    args.insert(args.begin(), std::string(dir == nullptr ? "build/bin" : dir) + "/komadai-echo");
    std::vector<char*> argv;
    for (std::string& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    int out[2];
    int err[2];
    EXPECT_EQ(pipe2(out, O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(err, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    posix_spawn_file_actions_adddup2(&actions, err[1], 2);
    EXPECT_EQ(posix_spawn(&pid_, argv[0], &actions, nullptr, argv.data(), environ), 0) << argv[0];
    posix_spawn_file_actions_destroy(&actions);
    close(out[1]);
    close(err[1]);
    out_ = fdopen(out[0], "r");
    err_ = fdopen(err[0], "r");
  }
  ~Process() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
    std::fclose(out_);
    std::fclose(err_);
  }

  std::string ReadLine() { return ReadLine(out_); }
  std::string ReadErrorLine() { return ReadLine(err_); }
  std::string ReadAll(bool errors) {
    std::string text;
    char buffer[1024];
    FILE* file = errors ? err_ : out_;
    while (std::fgets(buffer, sizeof buffer, file) != nullptr) text += buffer;
    return text;
  }
  // Waits for the ready line; the address in it.
  std::string Address() {
    const std::string line = ReadLine();
    const std::string prefix = "komadai-echo listening on ";
    EXPECT_THAT(line, StartsWith(prefix));
    return line.size() <= prefix.size()
               ? ""
               : line.substr(prefix.size(), line.size() - prefix.size() - 1);
  }
  void Signal(int signal) { kill(pid_, signal); }
  int WaitForExit() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  static std::string ReadLine(FILE* file) {
    char line[1024] = "";
    return std::fgets(line, sizeof line, file) == nullptr ? "" : line;
  }

  pid_t pid_ = -1;
  FILE* out_ = nullptr;
  FILE* err_ = nullptr;
};

std::vector<std::string> ServeArgs() {
  return {"--listen", "127.0.0.1:0", "--token-secret", kSecret};
}

std::string GuestAuthorization() {
  const TimePoint now = SystemTimeSource().Now();
  return "Bearer " + TokenMinter({.secret = kSecret})
                         .Mint({CallerKind::kGuest, "p1", ""}, now, now + std::chrono::hours(1))
                         .value();
}

TEST(ProcessTest, AnUnknownFlagIsRefusedWithStatusTwo) {
  Process process({"--lissten", "127.0.0.1:0"});
  EXPECT_EQ(process.WaitForExit(), 2);
  EXPECT_THAT(process.ReadAll(true), HasSubstr("lissten"));
}

TEST(ProcessTest, AMissingSecretIsRefusedWithStatusTwo) {
  Process process({"--listen", "127.0.0.1:0"});
  EXPECT_EQ(process.WaitForExit(), 2);
  EXPECT_THAT(process.ReadAll(true), HasSubstr("KOMADAI_TOKEN_SECRET"));
}

TEST(ProcessTest, HelpListsFlagsAndVariables) {
  Process process({"--help"});
  EXPECT_THAT(process.ReadAll(false),
              AllOf(HasSubstr("--listen TEXT"), HasSubstr("[KOMADAI_LISTEN]"),
                    HasSubstr("--token-secret-file FILE"), HasSubstr("--shutdown-grace")));
  EXPECT_EQ(process.WaitForExit(), 0);
}

TEST(ProcessTest, SigtermEndsOpenStreamsAndExitsWithZero) {
  Process process(ServeArgs());
  const auto stub = pb::EchoService::NewStub(
      grpc::CreateChannel(process.Address(), grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.AddMetadata("authorization", GuestAuthorization());
  const auto reader = stub->WatchEcho(&context, pb::WatchEchoRequest());
  pb::WatchEchoResponse message;
  ASSERT_TRUE(reader->Read(&message));
  process.Signal(SIGTERM);
  EXPECT_FALSE(reader->Read(&message));
  EXPECT_TRUE(FromGrpcStatus(reader->Finish()).Is(kServerDraining));
  EXPECT_EQ(process.WaitForExit(), 0);
  const std::string log = process.ReadAll(true);
  EXPECT_THAT(log, AllOf(HasSubstr("\"message\":\"draining\""), HasSubstr("stopped")));
  EXPECT_EQ(log.find(kSecret), std::string::npos);
}

TEST(ProcessTest, ASecondSignalExitsAtOnce) {
  std::vector<std::string> args = ServeArgs();
  args.insert(args.end(), {"--drain-delay", "60s"});
  Process process(args);
  ASSERT_NE(process.Address(), "");
  process.Signal(SIGINT);
  // Until the drain has begun, a repeated signal would be the first one still.
  std::string log;
  while (log.find("draining") == std::string::npos) log += process.ReadErrorLine();
  process.Signal(SIGTERM);
  EXPECT_EQ(process.WaitForExit(), 128 + SIGTERM);
}

// gRPC 1.51 shuts down when the last channel is gone, and a channel that is made meanwhile may
// crash the process: this one, which has no other.
TEST(ProcessTest, AClientMayCloseItsOnlyChannelAndOpenAnotherAThousandTimes) {
  std::vector<std::string> args = ServeArgs();
  args.insert(args.end(), {"--address-connections-per-second", "0"});
  Process process(args);
  const std::string address = process.Address();
  KeepGrpc();
  int answered = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto stub =
        pb::EchoService::NewStub(grpc::CreateChannel(address, grpc::InsecureChannelCredentials()));
    grpc::ClientContext context;
    pb::EchoResponse response;
    answered += stub->Echo(&context, pb::EchoRequest(), &response).ok() ? 1 : 0;
  }
  EXPECT_EQ(answered, 1000);
  process.Signal(SIGTERM);
  EXPECT_EQ(process.WaitForExit(), 0);
}

}  // namespace
}  // namespace komadai::rpc
