// komadai-bench-clock: how exactly flags fall. JSON lines on stdout.
//
// Starts many clocks on a komadai-clock with a durable Redis, listens to the expiries as the game
// service does, and compares the instant of each with its deadline.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "komadai/clock/v1/clock.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/base/time.h"
#include "libs/rpc/keep_grpc.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "tests/bench/bearer.h"
#include "tests/bench/load_loop.h"

namespace komadai::bench {
namespace {

namespace clock_pb = ::komadai::clock::v1;
namespace common_pb = ::komadai::common::v1;
using testing::ServerProcess;
using testing::TempDir;
using testing::TempRedis;

struct Plan {
  int clocks = 10'000;
  int spread_seconds = 20;  // over which their deadlines lie
  int replicas = 1;
};

constexpr int kCallers = 64;
constexpr std::chrono::seconds kPatience{30};

std::int64_t NowMs() { return ToUnixMillis(SystemTimeSource().Now()); }

std::string GameId(int number) { return "game" + std::to_string(number); }

// The first announcement of every deadline.
class Flags final : public grpc::ClientReadReactor<clock_pb::WatchExpiriesResponse> {
 public:
  Flags(clock_pb::ClockService::Stub& stub, const std::string& authorization) {
    context_.AddMetadata("authorization", authorization);
    stub.async()->WatchExpiries(&context_, &request_, this);
    StartRead(&message_);
    StartCall();
  }

  void OnReadDone(bool ok) override {
    if (!ok) return;
    const std::int64_t now = NowMs();
    if (!message_.game_id().empty()) {
      const MutexLock lock(mutex_);
      fallen_.try_emplace(message_.game_id(), now - message_.deadline_ms());
      changed_.NotifyAll();
    }
    StartRead(&message_);
  }
  void OnDone(const grpc::Status&) override {
    const MutexLock lock(mutex_);
    done_ = true;
    changed_.NotifyAll();
  }

  // How late each was, in milliseconds, sorted.
  std::vector<double> Wait(std::size_t count) {
    const auto until = std::chrono::steady_clock::now() + kPatience * 4;
    MutexLock lock(mutex_);
    while (fallen_.size() < count && !done_ && changed_.WaitUntil(lock, until)) {
    }
    if (fallen_.size() < count && !done_) {
      std::fprintf(stderr, "only %zu of %zu flags fell\n", fallen_.size(), count);
    }
    std::vector<double> late;
    for (const auto& [game, ms] : fallen_) late.push_back(static_cast<double>(ms));
    std::sort(late.begin(), late.end());
    return late;
  }
  void End() {
    context_.TryCancel();
    MutexLock lock(mutex_);
    while (!done_) changed_.Wait(lock);
  }

 private:
  grpc::ClientContext context_;
  clock_pb::WatchExpiriesRequest request_;
  clock_pb::WatchExpiriesResponse message_;
  Mutex mutex_;
  CondVar changed_;
  std::map<std::string, std::int64_t> fallen_ KOMADAI_GUARDED_BY(mutex_);
  bool done_ KOMADAI_GUARDED_BY(mutex_) = false;
};

// Starts all clocks; their deadlines lie evenly spread over the plan's seconds, after the start of
// the last.
void StartClocks(clock_pb::ClockService::Stub& stub, const std::string& authorization,
                 const Plan& plan) {
  const std::int64_t first_deadline = NowMs() + 10'000;
  std::atomic<int> next{0};
  struct Call {
    grpc::ClientContext context;
    clock_pb::StartClockRequest request;
    clock_pb::StartClockResponse response;
  };
  const LoadResult started = RunCount(kCallers, plan.clocks, [&](int, Done done) {
    const int number = next.fetch_add(1);
    auto call = std::make_shared<Call>();
    call->context.AddMetadata("authorization", authorization);
    call->context.set_deadline(std::chrono::system_clock::now() + kPatience);
    call->request.set_game_id(GameId(number));
    call->request.set_side_to_move(common_pb::SIDE_FIRST);
    const std::int64_t now = NowMs();
    call->request.set_at_ms(now);
    const std::int64_t deadline =
        first_deadline + std::int64_t{1000} * plan.spread_seconds * number / plan.clocks;
    call->request.mutable_time_control()->mutable_first()->set_main_ms(
        std::max<std::int64_t>(deadline - now, 1));
    stub.async()->StartClock(&call->context, &call->request, &call->response,
                             [call, done](const grpc::Status& status) {
                               if (!status.ok()) Die(status.error_message());
                               done(Ended::kCounted);
                             });
  });
  std::fprintf(stderr, "%zu clocks started in %.1f s\n", started.latencies_ms.size(),
               started.seconds);
}

void Print(const std::string& name, double value, const std::string& unit) {
  const nlohmann::json line{{"bench", "clock"}, {"case", name}, {"value", value}, {"unit", unit}};
  std::printf("%s\n", line.dump().c_str());
}

template <typename T>
T OrDie(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return *std::move(result);
}

int Main(int argc, char** argv) {
  Plan plan;
  CLI::App app{"How late flags fall: from the deadline to its announcement at a watcher."};
  app.add_option("clocks", plan.clocks, "running at once")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  app.add_option("seconds", plan.spread_seconds, "over which the deadlines are spread")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  app.add_option("--replicas", plan.replicas, "of the clock service")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  const std::unique_ptr<TempRedis> redis = OrDie(TempRedis::Start());
  const TempDir dir;
  std::vector<std::unique_ptr<ServerProcess>> servers;
  for (int i = 0; i < plan.replicas; ++i) {
    servers.push_back(
        OrDie(ServerProcess::Start({"komadai-clock",
                                    {"--redis-url", redis->Url(), "--token-secret",
                                     testing::kTestTokenSecret, "--log-level", "error"},
                                    dir.File("clock" + std::to_string(i) + ".log")})));
  }
  const std::string authorization = Bearer(rpc::CallerKind::kService, "komadai-bench");
  const auto stub = clock_pb::ClockService::NewStub(
      grpc::CreateChannel(servers.front()->address(), grpc::InsecureChannelCredentials()));
  Flags flags(*stub, authorization);
  StartClocks(*stub, authorization, plan);
  const std::vector<double> late = flags.Wait(static_cast<std::size_t>(plan.clocks));
  flags.End();
  if (late.size() != static_cast<std::size_t>(plan.clocks)) Die("not every flag fell");
  const LoadResult spread{.seconds = 1, .latencies_ms = late, .failures = 0};
  Print("flags", static_cast<double>(late.size()), "flags");
  Print("late-min", late.front(), "ms");
  for (const auto& [label, fraction] :
       {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99)}) {
    Print(std::string("late-") + label, spread.percentile(fraction), "ms");
  }
  Print("late-max", late.back(), "ms");
  return late.front() < 0 ? 1 : 0;
}

}  // namespace
}  // namespace komadai::bench

int main(int argc, char** argv) {
  komadai::rpc::KeepGrpc();
  return komadai::bench::Main(argc, argv);
}
