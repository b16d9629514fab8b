#include "tests/matchmaking/processes.h"

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <utility>

#include "libs/rpc/auth/token.h"
#include "libs/testing/local_stack.h"

namespace komadai::matchmaking {
namespace {

std::string Bearer(const std::string& player) {
  const rpc::TokenMinter minter({testing::kTestTokenSecret});
  const TimePoint now = SystemTimeSource().Now();
  const Result<std::string> token = minter.Mint({rpc::CallerKind::kPlayer, player, player}, now,
                                                now + Millis(std::int64_t{3600} * 1000));
  return token ? "Bearer " + *token : "";
}

}  // namespace

std::unique_ptr<grpc::ClientContext> As(const std::string& player) {
  auto context = std::make_unique<grpc::ClientContext>();
  context->AddMetadata("authorization", Bearer(player));
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(40));
  context->set_wait_for_ready(true);
  return context;
}

void MatchProcessesTest::SetUp() {
  auto redis = testing::TempRedis::Start();
  ASSERT_TRUE(redis) << redis.error().ToString();
  redis_ = *std::move(redis);
  for (int i = 0; i < kProcesses; ++i) {
    Replica& own = At(i);
    own.games = std::make_unique<GameServer>(book_, i);
    testing::ServerProcess::Options options;
    options.program = "komadai-matchmaking";
    options.log_file = dir_.path() + "/" + std::to_string(i) + ".log";
    options.arguments = {"--redis-url",
                         redis_->Url(),
                         "--token-secret",
                         testing::kTestTokenSecret,
                         "--peer-game",
                         own.games->address(),
                         "--peer-rating",
                         own.games->address(),
                         "--matchmaking-wave-interval",
                         "50ms",
                         "--matchmaking-sweep-interval",
                         "100ms"};
    auto process = testing::ServerProcess::Start(options);
    ASSERT_TRUE(process) << process.error().ToString();
    own.process = *std::move(process);
    own.stub = pb::MatchmakingService::NewStub(
        grpc::CreateChannel(own.process->address(), grpc::InsecureChannelCredentials()));
  }
}

pb::CreateSeekRequest MatchProcessesTest::SeekRequest(const std::string& player) {
  pb::CreateSeekRequest request;
  request.set_request_id("seek-of-" + player);
  request.mutable_terms()->mutable_setup()->set_variant(common_pb::VARIANT_SHOGI);
  request.mutable_terms()->mutable_time_control()->mutable_first()->set_main_ms(300'000);
  return request;
}

std::string MatchProcessesTest::Seek(int server, const std::string& player,
                                     const pb::CreateSeekRequest& request) {
  pb::CreateSeekResponse response;
  const auto context = As(player);
  const grpc::Status status = Stub(server).CreateSeek(context.get(), request, &response);
  EXPECT_TRUE(status.ok()) << status.error_message();
  seeks_[player] = response.seek().seek_id();
  return response.seek().seek_id();
}

pb::Seek MatchProcessesTest::Follow(int server, const std::string& player) {
  pb::WatchSeekRequest request;
  request.set_seek_id(seeks_[player]);
  const auto context = As(player);
  const auto stream = Stub(server).WatchSeek(context.get(), request);
  pb::WatchSeekResponse news;
  pb::Seek last;
  while (stream->Read(&news)) last = news.seek();
  const grpc::Status status = stream->Finish();
  EXPECT_TRUE(status.ok()) << status.error_message();
  return last;
}

}  // namespace komadai::matchmaking
