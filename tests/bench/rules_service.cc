#include "tests/bench/rules_service.h"

#include <google/protobuf/message_lite.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "komadai/internal/v1/echo.pb.h"
#include "komadai/rules/v1/rules.grpc.pb.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/testing/local_stack.h"
#include "libs/testing/server_process.h"
#include "libs/testing/temp_dir.h"
#include "tests/bench/load_loop.h"
#include "tests/bench/process_cost.h"
#include "tests/bench/rules_games.h"
#include "tests/bench/rules_report.h"

namespace komadai::bench {
namespace {

namespace echo_pb = ::komadai::internal::v1;
namespace rules_pb = ::komadai::rules::v1;
using rules::GameState;
using rules::Variant;
using testing::ServerProcess;

constexpr Reason kWrong{Code::kInternal, "WRONG_ANSWER"};
constexpr char kApplyMove[] = "/komadai.rules.v1.RulesService/ApplyMove";
constexpr char kRawEcho[] = "/komadai.internal.v1.RawEchoService/RawEcho";

grpc::ByteBuffer Serialized(const google::protobuf::MessageLite& message) {
  const grpc::Slice slice(message.SerializeAsString());
  return grpc::ByteBuffer(&slice, 1);
}

// One method of one server and what to send it. Requests are serialised beforehand and answers not
// parsed: the generator costs little, and the same for every method.
class Target {
 public:
  Target(const ServerProcess& server, std::string method)
      : stub_(grpc::CreateChannel(server.address(), grpc::InsecureChannelCredentials())),
        method_(std::move(method)),
        server_(server.pid()) {}

  void Add(const google::protobuf::MessageLite& request, std::size_t answer_bytes) {
    requests_.push_back(Serialized(request));
    answer_bytes_.push_back(answer_bytes);
  }

  LoadResult Run(int callers, std::chrono::milliseconds duration) {
    return RunClosedLoop(callers, duration,
                         [this](int caller, Done done) { Send(caller, std::move(done)); });
  }

  // Processor time of the server and of this process so far.
  double CpuSeconds() const { return bench::CpuSeconds(server_) + bench::CpuSeconds(::getpid()); }

 private:
  void Send(int caller, Done done) {
    struct Call {
      grpc::ClientContext context;
      grpc::ByteBuffer answer;
    };
    const std::size_t i = static_cast<std::size_t>(caller) % requests_.size();
    auto call = std::make_shared<Call>();
    stub_.UnaryCall(&call->context, method_, grpc::StubOptions(), &requests_[i], &call->answer,
                    [this, i, call, done](const grpc::Status& status) {
                      const bool right = status.ok() && call->answer.Length() == answer_bytes_[i];
                      done(right ? Ended::kCounted : Ended::kFailed);
                    });
  }

  grpc::GenericStub stub_;
  const std::string method_;
  const pid_t server_;
  std::vector<grpc::ByteBuffer> requests_;
  std::vector<std::size_t> answer_bytes_;
};

rules_pb::ApplyMoveRequest RequestAt(const GameState& before, rules::Move move) {
  const Variant variant = before.position().variant();
  rules_pb::ApplyMoveRequest request;
  request.mutable_setup()->set_variant(variant == Variant::kXiangqi ? common::v1::VARIANT_XIANGQI
                                                                    : common::v1::VARIANT_SHOGI);
  request.mutable_memory()->set_position(notation::FormatPosition(before.position()));
  request.mutable_memory()->set_history(before.history());
  request.set_move(notation::FormatPlainMove(variant, move));
  return request;
}

// The answer to a request, which must be what the library says.
Result<rules_pb::ApplyMoveResponse> AnswerTo(const rules_pb::ApplyMoveRequest& request,
                                             const GameState& after,
                                             rules_pb::RulesService::Stub& stub) {
  grpc::ClientContext context;
  context.set_wait_for_ready(true);
  rules_pb::ApplyMoveResponse response;
  const grpc::Status status = stub.ApplyMove(&context, request, &response);
  if (!status.ok()) return Error(kWrong, "ApplyMove: " + status.error_message());
  if (response.position() != notation::FormatPosition(after.position()) ||
      response.history_entry() != after.LastEntry() || response.state().ply() != after.ply()) {
    return Error(kWrong, "ApplyMove: another answer than the library's");
  }
  return response;
}

// Another game in progress for every caller, and an echo of each of the requests.
Status Prepare(Variant variant, int ply, int callers, rules_pb::RulesService::Stub& rules,
               Target& apply, Target& echo) {
  for (int i = 0; i < callers; ++i) {
    const auto states = RandomGame(variant, ply + 1, static_cast<std::uint64_t>(i) + 1);
    const GameState& after = states.back();
    const auto request = RequestAt(states[states.size() - 2], *after.MoveAt(ply));
    const auto answer = AnswerTo(request, after, rules);
    if (!answer) return answer.error();
    apply.Add(request, answer->ByteSizeLong());
    echo_pb::RawEchoRequest same;
    same.set_payload(std::string(request.ByteSizeLong(), 'x'));
    echo.Add(same, same.ByteSizeLong());
  }
  return {};
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// What was measured in the turns of a target.
struct Rates {
  std::vector<double> per_second;
  // Per second of processor time of server and generator together: what the machine could do if it
  // had nothing else to do.
  std::vector<double> per_cpu_second;
};

Status TakeTurn(Target& target, const RulesLoad& load, Rates& rates) {
  const double cpu_before = target.CpuSeconds();
  const LoadResult result = target.Run(load.callers, load.turn);
  const double cpu = target.CpuSeconds() - cpu_before;
  if (result.failures > 0) return Error(kWrong, "calls failed");
  rates.per_second.push_back(result.per_second());
  rates.per_cpu_second.push_back(static_cast<double>(result.latencies_ms.size()) / cpu);
  return {};
}

// Both take turns, so that they are measured on the same machine also when it is busy elsewhere.
Status BenchCase(const std::string& name, Target& apply, Target& echo, const RulesLoad& load) {
  Rates applied;
  Rates echoed;
  for (int turn = 0; turn <= load.turns; ++turn) {
    if (turn == 1) applied = echoed = {};  // the first turns warmed up
    if (Status took = TakeTurn(echo, load, echoed); !took) return took;
    if (Status took = TakeTurn(apply, load, applied); !took) return took;
  }
  Report(name, Median(applied.per_second), "calls/s", "raw echo", Median(echoed.per_second));
  Report(name + "-cpu", Median(applied.per_cpu_second), "calls/cpu-s", "raw echo",
         Median(echoed.per_cpu_second));
  return {};
}

Result<std::unique_ptr<ServerProcess>> StartServer(const std::string& program,
                                                   const testing::TempDir& dir) {
  return ServerProcess::Start(
      {program,
       {"--token-secret", testing::kTestTokenSecret, "--log-level", "error"},
       dir.File(program + ".log")});
}

}  // namespace

Status BenchRulesService(const RulesLoad& load) {
  const testing::TempDir dir;
  const auto rules_server = StartServer("komadai-rules", dir);
  if (!rules_server) return rules_server.error();
  const auto echo_server = StartServer("komadai-echo", dir);
  if (!echo_server) return echo_server.error();
  const auto stub = rules_pb::RulesService::NewStub(
      grpc::CreateChannel((*rules_server)->address(), grpc::InsecureChannelCredentials()));
  constexpr int kPly = 100;
  for (const Variant variant : {Variant::kShogi, Variant::kXiangqi}) {
    Target apply(**rules_server, kApplyMove);
    Target echo(**echo_server, kRawEcho);
    Status prepared = Prepare(variant, kPly, load.callers, *stub, apply, echo);
    if (!prepared) return prepared;
    const std::string name(rules::VariantName(variant));
    Status done = BenchCase(name + "-apply-move-ply-100", apply, echo, load);
    if (!done) return done;
  }
  return {};
}

}  // namespace komadai::bench
