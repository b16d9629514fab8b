// komadai-bench-moves: what a move costs through the whole path, beside what a raw gRPC echo does
// on the same machine in the same run. JSON lines on stdout.
#include <grpcpp/grpcpp.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/keep_grpc.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "tests/bench/bearer.h"
#include "tests/bench/load_loop.h"
#include "tests/bench/long_game.h"
#include "tests/bench/process_cost.h"
#include "tests/bench/tables.h"
#include "tests/bench/watchers.h"

namespace komadai::bench {
namespace {

namespace echo_pb = ::komadai::internal::v1;
using testing::LocalStack;
using testing::ServerProcess;
using testing::TempDir;

struct Plan {
  int seconds = 5;
  int games = 128;
  int idle = 100'000;
  int watchers = 10'000;
  std::vector<std::string> cases = {"throughput"};

  std::chrono::milliseconds duration() const { return std::chrono::seconds(seconds); }
  bool Has(const std::string& name) const {
    return std::find(cases.begin(), cases.end(), name) != cases.end();
  }
};

// The share of the full load under which latency is measured.
constexpr double kEverydayLoad = 0.7;
// After so many plies a game is replaced by a new one.
constexpr int kPlies = 120;

template <typename T>
T OrDie(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return *std::move(result);
}

void Print(const std::string& name, double value, const std::string& unit,
           const std::string& peer = "", double peer_value = 0) {
  nlohmann::json line{{"bench", "moves"}, {"case", name}, {"value", value}, {"unit", unit}};
  if (!peer.empty()) {
    line["peer"] = peer;
    line["peer_value"] = peer_value;
    line["ratio"] = peer_value > 0 ? value / peer_value : 0;
  }
  std::printf("%s\n", line.dump().c_str());
  std::fflush(stdout);
}

void PrintLatency(const std::string& name, const LoadResult& result) {
  for (const auto& [label, fraction] :
       {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99)}) {
    Print(name + "-" + label, result.percentile(fraction), "ms");
  }
}

// A server under test: what to call and what its processes are.
struct Subject {
  std::string name;
  std::string target;
  std::string game_address;
  Processes processes;
  std::shared_ptr<void> keep_alive;
};

Subject AllInOne() {
  struct Alive {
    TempDir dir;
    std::unique_ptr<ServerProcess> server;
  };
  auto alive = std::make_shared<Alive>();
  alive->server = OrDie(ServerProcess::Start({"komadai",
                                              {"--data", alive->dir.File("data"), "--token-secret",
                                               testing::kTestTokenSecret, "--log-level", "error"},
                                              alive->dir.File("server.log")}));
  return {"all-in-one",
          alive->server->address(),
          alive->server->address(),
          {{"komadai", alive->server->pid()}},
          std::move(alive)};
}

Subject Separate(const std::string& rules_adapter) {
  LocalStack::Options options;
  options.game_arguments = {"--rules-adapter", rules_adapter};
  std::shared_ptr<LocalStack> stack = OrDie(LocalStack::Start(options));
  Processes processes{{"redis", stack->redis().pid()}};
  for (const std::string& name : stack->names()) processes[name] = stack->service(name).pid();
  return {"separate-" + rules_adapter, stack->Targets(), stack->service("game").address(),
          std::move(processes), std::move(stack)};
}

double MeasureEcho(const Plan& plan) {
  const TempDir dir;
  const std::unique_ptr<ServerProcess> server = OrDie(ServerProcess::Start(
      {"komadai-echo", {"--token-secret", testing::kTestTokenSecret}, dir.File("echo.log")}));
  const auto stub = echo_pb::RawEchoService::NewStub(
      grpc::CreateChannel(server->address(), grpc::InsecureChannelCredentials()));
  const LoadResult result = RunClosedLoop(plan.games, plan.duration(), [&](int, Done done) {
    struct Call {
      grpc::ClientContext context;
      echo_pb::RawEchoRequest request;
      echo_pb::RawEchoResponse response;
    };
    auto call = std::make_shared<Call>();
    call->request.set_payload(std::string(64, 'x'));
    stub->async()->RawEcho(&call->context, &call->request, &call->response,
                           [call, done](const grpc::Status& status) {
                             done(status.ok() ? Ended::kCounted : Ended::kFailed);
                           });
  });
  return result.per_second();
}

StartCall MovesOf(Tables& tables) {
  return [&tables](int table, Done done) { tables.Move(table, std::move(done)); };
}

void CheckNoneFailed(const std::string& name, const LoadResult& result) {
  if (result.failures > 0) Die(name + ": " + std::to_string(result.failures) + " moves failed");
}

// Moves per second at full load, what they cost in processor time, and how long they take under an
// everyday load.
void MeasureThroughput(const Subject& subject, const Plan& plan, double echo) {
  Tables tables(subject.target, plan.games, LongGame(kPlies));
  CheckNoneFailed("warm-up", RunClosedLoop(plan.games, plan.duration() / 4, MovesOf(tables)));
  const auto before = CpuSecondsOf(subject.processes);
  const LoadResult full = RunClosedLoop(plan.games, plan.duration(), MovesOf(tables));
  const auto after = CpuSecondsOf(subject.processes);
  CheckNoneFailed(subject.name, full);
  Print(subject.name, full.per_second(), "moves/s", "raw-echo", echo);
  PrintLatency(subject.name + "-full", full);
  const auto moves = static_cast<double>(full.latencies_ms.size());
  for (const auto& [process, seconds] : after) {
    const double micros = (seconds - before.at(process)) / moves * 1e6;
    if (micros >= 0.5) Print(subject.name + "-cpu-" + process, micros, "us/move");
  }
  const LoadResult everyday =
      RunPaced(plan.games, kEverydayLoad * full.per_second(), plan.duration(), MovesOf(tables));
  CheckNoneFailed(subject.name + " at 70%", everyday);
  Print(subject.name + "-at-70%", everyday.per_second(), "moves/s");
  PrintLatency(subject.name + "-at-70%", everyday);
}

// Processor time of the server for one move, while every table goes from ply `from` to ply `to`.
double CostBetween(const Subject& subject, Tables& tables, int from, int to) {
  tables.PlayTo(from);
  const double before = Sum(CpuSecondsOf(subject.processes));
  tables.PlayTo(to);
  const double spent = Sum(CpuSecondsOf(subject.processes)) - before;
  return spent * 1e6 / (static_cast<double>(tables.size()) * (to - from));
}

// The same move must not cost more late in a game than early in it.
void MeasurePlies(const Subject& subject, const Plan& plan) {
  Tables tables(subject.target, plan.games, LongGame(330));
  const double early = CostBetween(subject, tables, 2, 32);
  const double late = CostBetween(subject, tables, 285, 315);
  Print(subject.name + "-ply-300", late, "us/move", "ply 10", early);
}

// The same move must not cost more beside many games in which nothing happens.
void MeasureIdleGames(const Subject& subject, const Plan& plan) {
  Tables tables(subject.target, plan.games, LongGame(330));
  tables.OpenIdle(100);
  const double few = CostBetween(subject, tables, 10, 160);
  std::map<std::string, double> resident;
  for (const auto& [name, pid] : subject.processes) resident[name] = ResidentBytes(pid);
  tables.OpenIdle(plan.idle - 100);
  for (const auto& [name, pid] : subject.processes) {
    const double grown = ResidentBytes(pid) - resident[name];
    Print(subject.name + "-idle-game-" + name, grown / (plan.idle - 100), "bytes/game");
  }
  const double many = CostBetween(subject, tables, 160, 310);
  Print(subject.name + "-idle-" + std::to_string(plan.idle), many, "us/move", "100 idle games",
        few);
}

// How long the moves of a game take at a human pace, and how long until all its watchers know them.
void MeasureWatchers(const Subject& subject, const Plan& plan) {
  constexpr int kMoves = 20;
  const auto pause = std::chrono::milliseconds(500);
  Tables tables(subject.target, 1, LongGame(2 * kMoves + 10));
  const auto play = [&](const std::string& name, Watchers* watchers) {
    LoadResult moves;
    LoadResult seen;
    for (int i = 0; i < kMoves; ++i) {
      std::this_thread::sleep_for(pause);
      const auto start = std::chrono::steady_clock::now();
      const auto passed = [start] {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count();
      };
      tables.PlayTo(tables.ply(0) + 1);
      moves.latencies_ms.push_back(passed());
      if (watchers == nullptr) continue;
      watchers->WaitFor(tables.ply(0) + 1);  // the first event is the start
      seen.latencies_ms.push_back(passed());
    }
    for (LoadResult* result : {&moves, &seen}) {
      std::sort(result->latencies_ms.begin(), result->latencies_ms.end());
    }
    PrintLatency(name, moves);
    if (watchers != nullptr) PrintLatency(name + "-all-know", seen);
  };
  play(subject.name + "-unwatched", nullptr);
  Watchers watchers(subject.game_address, tables.game_id(0), plan.watchers);
  play(subject.name + "-watchers-" + std::to_string(plan.watchers), &watchers);
}

int Main(int argc, char** argv) {
  Plan plan;
  CLI::App app{
      "What a move costs through the whole path. Cases: throughput (moves per second of the "
      "all-in-one and of separate processes, latency at 70% of that), plies (the cost at ply 300 "
      "beside ply 10), idle (the cost beside many idle games, and their memory), watchers (a "
      "watched game)."};
  app.add_option("seconds", plan.seconds, "of each measurement")
      ->check(CLI::Range(1, 600))
      ->capture_default_str();
  app.add_option("games", plan.games, "played at once")
      ->check(CLI::Range(1, 5000))
      ->capture_default_str();
  app.add_option("--case", plan.cases, "what to measure")
      ->check(CLI::IsMember({"throughput", "plies", "idle", "watchers"}));
  app.add_option("--idle-games", plan.idle, "of the case idle")
      ->check(CLI::Range(1000, 1000000))
      ->capture_default_str();
  app.add_option("--watchers", plan.watchers, "of the case watchers")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  if (plan.Has("throughput")) {
    double echo = MeasureEcho(plan);
    for (int number = 0; number < 3; ++number) {
      const Subject subject =
          number == 0 ? AllInOne() : Separate(number == 1 ? "remote" : "linked");
      MeasureThroughput(subject, plan, echo);
      echo = MeasureEcho(plan);  // the machine changes: each is compared with the nearest
    }
  }
  if (plan.Has("plies")) MeasurePlies(Separate("linked"), plan);
  if (plan.Has("idle")) MeasureIdleGames(Separate("linked"), plan);
  if (plan.Has("watchers")) MeasureWatchers(Separate("linked"), plan);
  return 0;
}

}  // namespace
}  // namespace komadai::bench

int main(int argc, char** argv) {
  komadai::rpc::KeepGrpc();
  return komadai::bench::Main(argc, argv);
}
