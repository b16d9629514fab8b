// The matchmaking service on a real gRPC server, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "komadai/matchmaking/v1/matchmaking.grpc.pb.h"
#include "libs/livestore/faulty_live_store.h"
#include "libs/livestore/memory_live_store.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "services/matchmaking/bind.h"
#include "services/matchmaking/testing/peer_services.h"

namespace komadai::matchmaking {

namespace pb = ::komadai::matchmaking::v1;
namespace common_pb = ::komadai::common::v1;
using grpc::StatusCode;
using rpc::CallerKind;

// Time moves only when a test moves it. Waves and sweeps come by real timers.
class MatchmakingServiceTest : public ::testing::Test {
 protected:
  using Stub = pb::MatchmakingService::Stub;
  using Context = std::unique_ptr<grpc::ClientContext>;

  class HandTime final : public TimeSource {
   public:
    TimePoint Now() const override { return FromUnixMillis(now_ms); }
    std::atomic<std::int64_t> now_ms{1'700'000'000'000};
  };

  void SetUp() override { Start(Millis(50)); }
  // So that seeks stay as they are.
  void StartWithoutWaves() { Start(Millis(60'000)); }
  void Start(Millis wave_interval) {
    stub_.reset();
    server_.reset();
    MatchmakingConfig config;
    config.wave_interval = wave_interval;
    config.sweep_interval = Millis(50);
    rpc::TestServerOptions options;
    options.time = &time_;
    server_ = std::make_unique<rpc::TestServer>(
        std::vector<rpc::ComponentSpec>{PeerComponent("game", &game_),
                                        PeerComponent("rating", &rating_),
                                        MatchmakingComponentOn(store_, config)},
        options);
    stub_ = server_->Stub<pb::MatchmakingService>();
  }

  Context Nobody() { return server_->AnonymousContext(); }
  Context As(const std::string& player) { return server_->ContextAs(CallerKind::kPlayer, player); }
  Context Guest(const std::string& player) {
    return server_->ContextAs(CallerKind::kGuest, player);
  }

  template <typename Response, typename Request>
  Response Ok(Context context,
              grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
              const Request& request) {
    Response response;
    const grpc::Status status = (stub_.get()->*method)(context.get(), request, &response);
    EXPECT_TRUE(status.ok()) << rpc::FromGrpcStatus(status).ToString();
    return response;
  }
  // Refused with this code and reason.
  template <typename Response, typename Request>
  testing::AssertionResult Refused(Context context,
                                   grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                                const Request&, Response*),
                                   const Request& request, StatusCode code,
                                   const std::string& reason) {
    Response response;
    const grpc::Status status = (stub_.get()->*method)(context.get(), request, &response);
    last_error_ = std::make_unique<Error>(rpc::FromGrpcStatus(status));
    if (status.error_code() == code && last_error_->reason() == reason) {
      return testing::AssertionSuccess();
    }
    return testing::AssertionFailure() << status.error_code() << " " << last_error_->ToString();
  }

  static pb::GameTerms Terms(common_pb::Variant variant = common_pb::VARIANT_SHOGI) {
    pb::GameTerms terms;
    terms.mutable_setup()->set_variant(variant);
    terms.mutable_time_control()->mutable_first()->set_main_ms(300'000);
    return terms;
  }
  static pb::CreateSeekRequest SeekRequest(const std::string& request_id = "request-1") {
    pb::CreateSeekRequest request;
    request.set_request_id(request_id);
    *request.mutable_terms() = Terms();
    return request;
  }
  pb::Seek Seek(const std::string& player, const pb::CreateSeekRequest& request = SeekRequest()) {
    return Ok(As(player), &Stub::CreateSeek, request).seek();
  }
  static pb::CancelSeekRequest CancelRequest(const std::string& seek_id) {
    pb::CancelSeekRequest request;
    request.set_seek_id(seek_id);
    return request;
  }
  // Watches a seek until it is in that state.
  pb::Seek Await(const std::string& player, const std::string& seek_id, pb::SeekState state) {
    pb::WatchSeekRequest request;
    request.set_seek_id(seek_id);
    const Context context = As(player);
    const auto stream = stub_->WatchSeek(context.get(), request);
    pb::WatchSeekResponse news;
    bool reached = false;
    while (!reached && stream->Read(&news)) reached = news.seek().state() == state;
    EXPECT_TRUE(reached) << "it ended in state " << news.seek().state();
    context->TryCancel();
    (void)stream->Finish();
    return news.seek();
  }

  // For anybody with the link, unless an opponent is named.
  static pb::CreateChallengeRequest ChallengeRequest(const std::string& opponent = "",
                                                     int number = 0) {
    pb::CreateChallengeRequest request;
    request.set_request_id("a-link-nobody-guesses-" + std::to_string(number));
    *request.mutable_terms() = Terms();
    request.set_opponent_id(opponent);
    return request;
  }
  pb::Challenge Challenge(const std::string& player, const pb::CreateChallengeRequest& request) {
    return Ok(As(player), &Stub::CreateChallenge, request).challenge();
  }
  static pb::GetChallengeRequest GetRequest(const std::string& challenge_id) {
    pb::GetChallengeRequest request;
    request.set_challenge_id(challenge_id);
    return request;
  }
  static pb::AcceptChallengeRequest AcceptRequest(const std::string& challenge_id) {
    pb::AcceptChallengeRequest request;
    request.set_challenge_id(challenge_id);
    return request;
  }
  static pb::DeclineChallengeRequest DeclineRequest(const std::string& challenge_id) {
    pb::DeclineChallengeRequest request;
    request.set_challenge_id(challenge_id);
    return request;
  }

  HandTime time_;
  GamePeer game_;
  RatingPeer rating_;
  livestore::MemoryLiveStore memory_{time_};
  // What every operation on the store meets.
  std::atomic<livestore::Fault> fault_{livestore::Fault::kNone};
  std::shared_ptr<livestore::LiveStore> store_ = std::make_shared<livestore::FaultyLiveStore>(
      memory_, [this](const livestore::Operation&) { return fault_.load(); });
  std::unique_ptr<Error> last_error_;
  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<Stub> stub_;
};

}  // namespace komadai::matchmaking
