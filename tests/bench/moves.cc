// komadai-bench-moves: moves per second and their latency through the whole path, beside what a raw
// gRPC echo does on the same machine in the same run. JSON lines on stdout.
//
// usage: komadai-bench-moves [seconds per case] [games at once]
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/connection.h"
#include "cli/demo_record.h"
#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/token.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "tests/bench/closed_loop.h"

namespace komadai::bench {
namespace {

namespace game_pb = ::komadai::game::v1;
namespace echo_pb = ::komadai::internal::v1;
using testing::LocalStack;
using testing::ServerProcess;
using testing::TempDir;

struct Plan {
  std::chrono::milliseconds duration{5000};
  int games = 64;
};

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "komadai-bench-moves: %s\n", what.c_str());
  std::exit(1);
}

template <typename T>
T OrDie(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return *std::move(result);
}

std::vector<std::string> RecordMoves() {
  std::vector<std::string> moves;
  std::string word;
  for (const char c : std::string(cli::kDemoRecord) + " ") {
    if (c != ' ' && c != '\n') {
      word += c;
    } else if (!word.empty()) {
      moves.push_back(std::move(word));
      word.clear();
    }
  }
  moves.erase(moves.begin(), moves.begin() + 3);  // "position startpos moves"
  return moves;
}

std::string Bearer(rpc::CallerKind kind, const std::string& id) {
  const rpc::TokenMinter minter({testing::kTestTokenSecret});
  const TimePoint now = SystemTimeSource().Now();
  const Result<std::string> token =
      minter.Mint({kind, id, id}, now, now + Millis(std::int64_t{3600} * 1000));
  return "Bearer " + OrDie(token);
}

// One game at a time per caller: creates it, plays the record, creates the next.
class Players {
 public:
  Players(const std::string& target, int games)
      : channel_(OrDie(cli::Targets::Parse(target)).To("game")),
        stub_(game_pb::GameService::NewStub(channel_)),
        service_(Bearer(rpc::CallerKind::kService, "komadai-bench")),
        moves_(RecordMoves()) {
    for (int i = 0; i < games; ++i) {
      auto table = std::make_unique<Table>();
      for (int side = 0; side < 2; ++side) {
        const std::string id = "bench" + std::to_string(i) + (side == 0 ? "a" : "b");
        table->ids[side] = id;
        table->tokens[side] = Bearer(rpc::CallerKind::kGuest, id);
      }
      tables_.push_back(std::move(table));
      Create(i);
    }
  }

  bool Move(int caller, std::function<void(bool)> done) {
    Table& table = *tables_[static_cast<std::size_t>(caller)];
    if (table.ply == static_cast<int>(moves_.size())) Create(caller);
    struct Call {
      grpc::ClientContext context;
      game_pb::PlayMoveRequest request;
      game_pb::PlayMoveResponse response;
    };
    auto call = std::make_shared<Call>();
    call->context.AddMetadata("authorization", table.tokens[table.ply % 2]);
    call->context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
    call->request.set_game_id(table.game_id);
    call->request.set_expected_ply(table.ply);
    call->request.set_move(moves_[static_cast<std::size_t>(table.ply)]);
    stub_->async()->PlayMove(&call->context, &call->request, &call->response,
                             [this, &table, call, done](grpc::Status status) {
                               if (status.ok()) ++table.ply;
                               if (!status.ok()) Complain(status);
                               done(status.ok());
                             });
    return true;
  }

 private:
  struct Table {
    std::string ids[2];
    std::string tokens[2];
    std::string game_id;
    int ply = 0;
    int number = 0;
  };

  // Rare beside the moves (one in 117), so it may block the caller's thread.
  void Create(int caller) {
    Table& table = *tables_[static_cast<std::size_t>(caller)];
    game_pb::CreateGameRequest request;
    request.set_request_id("bench-" + table.ids[0] + "-" + std::to_string(table.number++));
    request.mutable_setup()->set_variant(common::v1::VARIANT_SHOGI);
    for (int side = 0; side < 2; ++side) {
      common::v1::Player& player = side == 0 ? *request.mutable_first() : *request.mutable_second();
      player.set_player_id(table.ids[side]);
      player.set_name(table.ids[side]);
      player.set_kind(common::v1::PLAYER_KIND_GUEST);
    }
    common::v1::SideTime& time = *request.mutable_time_control()->mutable_first();
    time.set_main_ms(300000);
    time.set_byoyomi_ms(30000);
    time.set_byoyomi_periods(3);
    grpc::ClientContext context;
    context.AddMetadata("authorization", service_);
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(20));
    context.set_wait_for_ready(true);
    game_pb::CreateGameResponse response;
    const grpc::Status status = stub_->CreateGame(&context, request, &response);
    if (!status.ok()) Die("CreateGame: " + cli::Connection::ErrorOf(status).ToString());
    table.game_id = response.game().game_id();
    table.ply = 0;
  }

  void Complain(const grpc::Status& status) {
    if (complaints_.fetch_add(1) >= 5) return;
    std::fprintf(stderr, "PlayMove: %s\n", cli::Connection::ErrorOf(status).ToString().c_str());
  }

  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<game_pb::GameService::Stub> stub_;
  const std::string service_;
  const std::vector<std::string> moves_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<int> complaints_{0};
};

double MeasureEcho(const Plan& plan) {
  const TempDir dir;
  const std::unique_ptr<ServerProcess> server = OrDie(ServerProcess::Start(
      {"komadai-echo", {"--token-secret", testing::kTestTokenSecret}, dir.File("echo.log")}));
  const auto stub = echo_pb::EchoService::NewStub(
      grpc::CreateChannel(server->address(), grpc::InsecureChannelCredentials()));
  const LoadResult result =
      RunClosedLoop(plan.games, plan.duration, [&](int, std::function<void(bool)> done) {
        struct Call {
          grpc::ClientContext context;
          echo_pb::RawEchoRequest request;
          echo_pb::RawEchoResponse response;
        };
        auto call = std::make_shared<Call>();
        call->request.set_payload(std::string(64, 'x'));
        stub->async()->RawEcho(&call->context, &call->request, &call->response,
                               [call, done](grpc::Status status) { done(status.ok()); });
        return true;
      });
  return result.per_second();
}

void Report(const std::string& name, const LoadResult& result, double echo) {
  nlohmann::json rate{{"bench", "moves"},
                      {"case", name},
                      {"value", result.per_second()},
                      {"unit", "moves/s"},
                      {"peer", "raw-echo"},
                      {"peer_value", echo},
                      {"ratio", echo > 0 ? result.per_second() / echo : 0}};
  std::printf("%s\n", rate.dump().c_str());
  for (const auto& [label, fraction] :
       {std::pair("p50", 0.5), std::pair("p90", 0.9), std::pair("p99", 0.99)}) {
    const nlohmann::json latency{{"bench", "moves"},
                                 {"case", name + "-" + label},
                                 {"value", result.percentile(fraction)},
                                 {"unit", "ms"}};
    std::printf("%s\n", latency.dump().c_str());
  }
  if (result.failures > 0) {
    std::fprintf(stderr, "%s: %lld moves failed\n", name.c_str(),
                 static_cast<long long>(result.failures));
  }
  std::fflush(stdout);
}

LoadResult Measure(const std::string& target, const Plan& plan) {
  Players players(target, plan.games);
  return RunClosedLoop(plan.games, plan.duration, [&](int caller, std::function<void(bool)> done) {
    return players.Move(caller, std::move(done));
  });
}

int Main(int argc, char** argv) {
  Plan plan;
  if (argc > 1) plan.duration = std::chrono::seconds(std::max(1, std::atoi(argv[1])));
  if (argc > 2) plan.games = std::max(1, std::atoi(argv[2]));
  const double echo = MeasureEcho(plan);
  {
    const TempDir dir;
    const std::unique_ptr<ServerProcess> server =
        OrDie(ServerProcess::Start({"komadai",
                                    {"--data", dir.File("data"), "--token-secret",
                                     testing::kTestTokenSecret, "--log-level", "error"},
                                    dir.File("server.log")}));
    Report("all-in-one", Measure(server->address(), plan), echo);
  }
  for (const std::string adapter : {"remote", "linked"}) {
    LocalStack::Options options;
    options.game_arguments = {"--rules-adapter", adapter};
    const std::unique_ptr<LocalStack> stack = OrDie(LocalStack::Start(options));
    Report("separate-" + adapter, Measure(stack->Targets(), plan), echo);
  }
  return 0;
}

}  // namespace
}  // namespace komadai::bench

int main(int argc, char** argv) { return komadai::bench::Main(argc, argv); }
