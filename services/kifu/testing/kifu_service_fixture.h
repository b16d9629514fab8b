// The kifu service on a real gRPC server, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "komadai/kifu/v1/kifu.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/sql/testing/backends.h"
#include "services/kifu/bind.h"

namespace komadai::kifu {

namespace pb = ::komadai::kifu::v1;
namespace common_pb = ::komadai::common::v1;
using grpc::StatusCode;
using rpc::CallerKind;

inline constexpr std::int64_t kEndedMs = 1'700'000'000'000;
inline constexpr char kAfter7g7f[] =
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - ";

// Backed by the databases of libs/sql/testing/backends.h.
class KifuServiceTest : public ::testing::TestWithParam<sql::testing::BackendCase> {
 protected:
  using Stub = pb::KifuService::Stub;

  void SetUp() override {
    backend_ = GetParam().make();
    database_ = backend_->Open();
    server_ = std::make_unique<rpc::TestServer>(
        std::vector<rpc::ComponentSpec>{KifuComponentOn(database_)});
    stub_ = server_->Stub<pb::KifuService>();
  }

  std::unique_ptr<grpc::ClientContext> Nobody() { return server_->AnonymousContext(); }
  std::unique_ptr<grpc::ClientContext> Service() {
    return server_->ContextAs(CallerKind::kService, "komadai-game");
  }
  std::unique_ptr<grpc::ClientContext> Player(const std::string& id = "ann") {
    return server_->ContextAs(CallerKind::kPlayer, id);
  }

  template <typename Method, typename Request, typename Response>
  grpc::Status Call(std::unique_ptr<grpc::ClientContext> context, Method method,
                    const Request& request, Response* response) {
    return (stub_.get()->*method)(context.get(), request, response);
  }
  // Refused with this code and reason.
  template <typename Response, typename Request>
  testing::AssertionResult Refused(std::unique_ptr<grpc::ClientContext> context,
                                   grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                const Request&, Response*),
                                   const Request& request, StatusCode code,
                                   const std::string& reason) {
    Response response;
    const grpc::Status status = (stub_.get()->*method)(context.get(), request, &response);
    if (status.error_code() == code && rpc::FromGrpcStatus(status).reason() == reason) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure()
           << status.error_code() << " " << rpc::FromGrpcStatus(status).ToString();
  }

  // Game `number` of a shogi match of Ann's.
  static pb::StoreKifuRequest Game(int number) {
    pb::StoreKifuRequest request;
    request.set_game_id("game" + std::to_string(number));
    common_pb::GameRecord& record = *request.mutable_record();
    record.mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
    record.mutable_first()->set_player_id("ann");
    record.mutable_first()->set_name("Ann");
    record.mutable_second()->set_player_id(number % 2 == 0 ? "bob" : "eve");
    record.mutable_second()->set_name(number % 2 == 0 ? "Bob" : "Eve");
    record.add_moves()->set_move("7g7f");
    record.add_moves()->set_move(number % 2 == 0 ? "3c3d" : "8c8d");
    record.mutable_result()->set_outcome(number % 2 == 0 ? common_pb::OUTCOME_FIRST_WINS
                                                         : common_pb::OUTCOME_SECOND_WINS);
    record.mutable_result()->set_ending(number % 2 == 0 ? common_pb::ENDING_RESIGNATION
                                                        : common_pb::ENDING_TIME_OUT);
    record.mutable_result()->set_plies(2);
    record.set_rated(number % 2 == 0);
    record.set_started_at_ms(kEndedMs);
    record.set_ended_at_ms(kEndedMs + number * 1000);
    return request;
  }
  std::string Store(const pb::StoreKifuRequest& request) {
    pb::StoreKifuResponse response;
    const grpc::Status status = Call(Service(), &Stub::StoreKifu, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.kifu_id();
  }
  void StoreGames(int count) {
    for (int i = 0; i < count; ++i) Store(Game(i));
  }
  std::string Export(const std::string& kifu_id, common_pb::RecordFormat format,
                     common_pb::TextEncoding encoding = common_pb::TEXT_ENCODING_UNSPECIFIED) {
    pb::ExportKifuRequest request;
    request.set_kifu_id(kifu_id);
    request.set_format(format);
    request.set_encoding(encoding);
    pb::ExportKifuResponse response;
    const grpc::Status status = Call(Nobody(), &Stub::ExportKifu, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response.data();
  }
  pb::SearchKifuResponse Search(const pb::SearchKifuRequest& request) {
    pb::SearchKifuResponse response;
    const grpc::Status status = Call(Nobody(), &Stub::SearchKifu, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }
  std::vector<std::string> GamesFound(const pb::SearchKifuRequest& request) {
    const pb::SearchKifuResponse page = Search(request);
    std::vector<std::string> found;
    for (const pb::KifuSummary& kifu : page.kifus()) found.push_back(kifu.game_id());
    return found;
  }
  pb::ExplorePositionResponse Explore(const pb::ExplorePositionRequest& request) {
    pb::ExplorePositionResponse response;
    const grpc::Status status = Call(Nobody(), &Stub::ExplorePosition, request, &response);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return response;
  }

  std::unique_ptr<sql::testing::Backend> backend_;
  std::shared_ptr<sql::Database> database_;
  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace komadai::kifu
