// The adapter on a real gRPC server: mapping, reasons, who may call, streams.
#include "services/clock/clock_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "komadai/clock/v1/clock.grpc.pb.h"
#include "libs/livestore/memory_live_store.h"
#include "libs/rpc/error.h"
#include "libs/rpc/status_proto.h"
#include "libs/rpc/testing/test_server.h"
#include "services/clock/app/expiries.h"
#include "services/clock/bind.h"

namespace komadai::clock {
namespace {

namespace pb = ::komadai::clock::v1;
namespace common_pb = ::komadai::common::v1;
using common_pb::SIDE_FIRST;
using common_pb::SIDE_SECOND;
using common_pb::SIDE_UNSPECIFIED;
using rpc::CallerKind;

constexpr std::int64_t kStartMs = 1700000000000;

class HandTime final : public TimeSource {
 public:
  // gRPC's deadlines are of the real clock, so this one only runs ahead of it.
  TimePoint Now() const override { return FromUnixMillis(now_ms_.load()); }
  void Set(std::int64_t now_ms) { now_ms_.store(now_ms); }

 private:
  std::atomic<std::int64_t> now_ms_{kStartMs};
};

class ClockServiceTest : public testing::Test {
 protected:
  using Context = std::unique_ptr<grpc::ClientContext>;

  ClockServiceTest() {
    // The clock's own time is driven by hand; the server's is the real one.
    rpc::ComponentSpec spec =
        ClockComponentByHand(store_, time_, [this](Expiries& expiries) { expiries_ = &expiries; });
    server_ = std::make_unique<rpc::TestServer>(std::vector<rpc::ComponentSpec>{spec});
    stub_ = server_->Stub<pb::ClockService>();
  }

  Context Service() { return server_->ContextAs(CallerKind::kService, "komadai-game"); }

  static pb::StartClockRequest StartRequest(const std::string& game_id) {
    pb::StartClockRequest request;
    request.set_game_id(game_id);
    request.mutable_time_control()->mutable_first()->set_main_ms(300000);
    request.mutable_time_control()->mutable_first()->set_byoyomi_ms(30000);
    request.mutable_time_control()->mutable_first()->set_byoyomi_periods(3);
    request.set_side_to_move(SIDE_FIRST);
    request.set_at_ms(kStartMs);
    return request;
  }
  static pb::PressClockRequest PressRequest(const std::string& game_id, int ply,
                                            common_pb::Side side, std::int64_t at_ms) {
    pb::PressClockRequest request;
    request.set_game_id(game_id);
    request.set_ply(ply);
    request.set_side(side);
    request.set_at_ms(at_ms);
    return request;
  }
  void StartGame(const std::string& game_id) {
    pb::StartClockResponse response;
    const grpc::Status status =
        stub_->StartClock(Service().get(), StartRequest(game_id), &response);
    ASSERT_TRUE(status.ok()) << status.error_message();
  }
  grpc::Status Press(const pb::PressClockRequest& request, pb::PressClockResponse* response) {
    return stub_->PressClock(Service().get(), request, response);
  }
  grpc::Status Adjust(const pb::AdjustClockRequest& request) {
    pb::AdjustClockResponse response;
    return stub_->AdjustClock(Service().get(), request, &response);
  }
  static void ExpectReason(const grpc::Status& status, grpc::StatusCode code,
                           const std::string& reason) {
    ASSERT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_EQ(rpc::FromGrpcStatus(status).reason(), reason);
  }

  HandTime time_;
  std::shared_ptr<livestore::LiveStore> store_ =
      std::make_shared<livestore::MemoryLiveStore>(time_);
  Expiries* expiries_ = nullptr;
  std::unique_ptr<rpc::TestServer> server_;
  std::unique_ptr<pb::ClockService::Stub> stub_;
};

TEST_F(ClockServiceTest, StartsAndReads) {
  pb::StartClockResponse started;
  ASSERT_TRUE(stub_->StartClock(Service().get(), StartRequest("g"), &started).ok());
  EXPECT_EQ(started.clock().running(), SIDE_FIRST);
  EXPECT_EQ(started.clock().first().main_left_ms(), 300000);
  EXPECT_EQ(started.clock().second().periods_left(), 3) << "no second side given: like the first";
  EXPECT_EQ(started.clock().deadline_ms(), kStartMs + 390000);
  time_.Set(kStartMs + 310000);
  pb::GetClockRequest request;
  request.set_game_id("g");
  pb::GetClockResponse read;
  ASSERT_TRUE(stub_->GetClock(server_->AnonymousContext().get(), request, &read).ok());
  EXPECT_EQ(read.clock().at_ms(), kStartMs + 310000);
  EXPECT_EQ(read.clock().first().main_left_ms(), 0);
  EXPECT_EQ(read.clock().first().period_index(), 1);
  EXPECT_EQ(read.clock().first().period_left_ms(), 20000);
  EXPECT_EQ(read.clock().first().used_ms(), 310000);
}

TEST_F(ClockServiceTest, OnlyPlainIdsNameAClock) {
  pb::StartClockResponse started;
  for (const std::string& id : {std::string(), std::string(65, 'g'), std::string("a:b"),
                                std::string("a\0b", 3), std::string("{g}"), std::string("g\n")}) {
    ExpectReason(stub_->StartClock(Service().get(), StartRequest(id), &started),
                 grpc::StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST");
  }
  EXPECT_TRUE(stub_->StartClock(Service().get(), StartRequest("Game-1_x"), &started).ok());
}

TEST_F(ClockServiceTest, PressesAndRepeats) {
  StartGame("g");
  pb::PressClockResponse first;
  ASSERT_TRUE(Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 7000), &first).ok());
  EXPECT_EQ(first.used_ms(), 7000);
  EXPECT_EQ(first.clock().running(), SIDE_SECOND);
  EXPECT_EQ(first.clock().ply(), 1);
  pb::PressClockResponse again;
  ASSERT_TRUE(Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 9000), &again).ok());
  EXPECT_EQ(again.SerializeAsString(), first.SerializeAsString());
}

TEST_F(ClockServiceTest, PressesManyEachByItself) {
  StartGame("g");
  StartGame("h");
  pb::PressClocksRequest request;
  *request.add_presses() = PressRequest("g", 0, SIDE_FIRST, kStartMs + 7000);
  *request.add_presses() = PressRequest("nobody", 0, SIDE_FIRST, kStartMs);
  *request.add_presses() = PressRequest("h", 0, SIDE_FIRST, kStartMs + 390000);
  *request.add_presses() = PressRequest("g", 0, SIDE_FIRST, kStartMs + 9000);  // a repeat
  pb::PressClocksResponse response;
  const grpc::Status status = stub_->PressClocks(Service().get(), request, &response);
  ASSERT_TRUE(status.ok()) << status.error_message();
  ASSERT_EQ(response.presses_size(), 4);
  EXPECT_EQ(response.presses(1).error().code(), grpc::StatusCode::NOT_FOUND);
  const Error late = rpc::FromStatusProto(response.presses(2).error());
  EXPECT_EQ(late.reason(), "TIME_IS_UP");
  EXPECT_EQ(late.metadata().at("side"), "first");
  // Which of the two came first is open; both are told the same.
  EXPECT_EQ(response.presses(0).pressed().clock().ply(), 1);
  EXPECT_EQ(response.presses(3).SerializeAsString(), response.presses(0).SerializeAsString());
}

TEST_F(ClockServiceTest, RefusesTooManyPresses) {
  pb::PressClocksRequest request;
  for (int i = 0; i < 257; ++i) request.add_presses();
  pb::PressClocksResponse response;
  ExpectReason(stub_->PressClocks(Service().get(), request, &response),
               grpc::StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST");
}

TEST_F(ClockServiceTest, RefusalsCarryTheirReasonAndMetadata) {
  StartGame("g");
  pb::PressClockResponse response;
  const grpc::Status late = Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 390000), &response);
  ExpectReason(late, grpc::StatusCode::FAILED_PRECONDITION, "TIME_IS_UP");
  const Error error = rpc::FromGrpcStatus(late);
  EXPECT_EQ(error.metadata().at("side"), "first");
  EXPECT_EQ(error.metadata().at("deadline_ms"), std::to_string(kStartMs + 390000));
  ExpectReason(Press(PressRequest("g", 3, SIDE_SECOND, kStartMs), &response),
               grpc::StatusCode::ABORTED, "STALE_PLY");
  ExpectReason(Press(PressRequest("nobody", 0, SIDE_FIRST, kStartMs), &response),
               grpc::StatusCode::NOT_FOUND, "CLOCK_NOT_FOUND");
  ExpectReason(Press(PressRequest("g", 0, SIDE_SECOND, kStartMs), &response),
               grpc::StatusCode::FAILED_PRECONDITION, "OTHER_SIDE_TO_MOVE");
}

TEST_F(ClockServiceTest, BadRequestsAreInvalidArguments) {
  const auto invalid = grpc::StatusCode::INVALID_ARGUMENT;
  pb::PressClockResponse response;
  ExpectReason(Press(PressRequest("", 0, SIDE_FIRST, kStartMs), &response), invalid,
               "INVALID_REQUEST");
  ExpectReason(Press(PressRequest(std::string(65, 'x'), 0, SIDE_FIRST, kStartMs), &response),
               invalid, "INVALID_REQUEST");
  ExpectReason(Press(PressRequest("g", -1, SIDE_FIRST, kStartMs), &response), invalid,
               "INVALID_REQUEST");
  ExpectReason(Press(PressRequest("g", 0, SIDE_UNSPECIFIED, kStartMs), &response), invalid,
               "INVALID_REQUEST");
  ExpectReason(Press(PressRequest("g", 0, static_cast<common_pb::Side>(77), kStartMs), &response),
               invalid, "INVALID_REQUEST");
  for (const std::int64_t at_ms : {std::int64_t{0}, std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    ExpectReason(Press(PressRequest("g", 0, SIDE_FIRST, at_ms), &response), invalid,
                 "INVALID_REQUEST");
  }
  pb::StartClockRequest start = StartRequest("g");
  start.mutable_time_control()->mutable_second()->set_main_ms(INT64_MAX);
  pb::StartClockResponse started;
  const grpc::Status status = stub_->StartClock(Service().get(), start, &started);
  ExpectReason(status, invalid, "MAIN_TIME_OUT_OF_RANGE");
}

TEST_F(ClockServiceTest, AdjustsOncePerRequest) {
  StartGame("g");
  pb::AdjustClockRequest request;
  request.set_game_id("g");
  request.set_at_ms(kStartMs + 1000);
  ExpectReason(Adjust(request), grpc::StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST");
  request.set_request_id("gift-001");
  ExpectReason(Adjust(request), grpc::StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST");
  request.mutable_add()->set_side(SIDE_SECOND);
  request.mutable_add()->set_add_ms(1);
  ExpectReason(Adjust(request), grpc::StatusCode::INVALID_ARGUMENT, "TOO_MUCH_TIME");
  request.mutable_add()->set_add_ms(15000);
  for (int i = 0; i < 2; ++i) {
    pb::AdjustClockResponse response;
    ASSERT_TRUE(stub_->AdjustClock(Service().get(), request, &response).ok());
    EXPECT_EQ(response.clock().second().main_left_ms(), 315000);
  }
  pb::PressClockResponse pressed;
  ASSERT_TRUE(Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 7000), &pressed).ok());
  request.set_request_id("takeback-1");
  request.set_at_ms(kStartMs + 9000);
  request.mutable_rewind()->set_ply(0);
  request.mutable_rewind()->set_side_to_move(SIDE_FIRST);
  pb::AdjustClockResponse rewound;
  ASSERT_TRUE(stub_->AdjustClock(Service().get(), request, &rewound).ok());
  EXPECT_EQ(rewound.clock().ply(), 0);
  EXPECT_EQ(rewound.clock().first().main_left_ms(), 300000);
}

TEST_F(ClockServiceTest, PausesAndResumes) {
  StartGame("g");
  pb::AdjustClockRequest request;
  request.set_request_id("pause-001");
  request.set_game_id("g");
  request.set_at_ms(kStartMs + 5000);
  request.mutable_pause()->set_ply(-1);
  ExpectReason(Adjust(request), grpc::StatusCode::INVALID_ARGUMENT, "INVALID_REQUEST");
  request.mutable_pause()->set_ply(0);
  pb::AdjustClockResponse paused;
  ASSERT_TRUE(stub_->AdjustClock(Service().get(), request, &paused).ok());
  EXPECT_TRUE(paused.clock().paused());
  EXPECT_EQ(paused.clock().running(), SIDE_UNSPECIFIED);
  EXPECT_EQ(paused.clock().deadline_ms(), 0);
  pb::PressClockResponse pressed;
  ExpectReason(Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 6000), &pressed),
               grpc::StatusCode::FAILED_PRECONDITION, "CLOCK_PAUSED");
  request.set_request_id("resume-01");
  request.set_at_ms(kStartMs + 65000);
  request.mutable_resume()->set_ply(0);
  pb::AdjustClockResponse resumed;
  ASSERT_TRUE(stub_->AdjustClock(Service().get(), request, &resumed).ok());
  EXPECT_EQ(resumed.clock().running(), SIDE_FIRST);
  EXPECT_EQ(resumed.clock().deadline_ms(), kStartMs + 450000);
  request.set_request_id("resume-02");
  ExpectReason(Adjust(request), grpc::StatusCode::FAILED_PRECONDITION, "CLOCK_NOT_PAUSED");
}

TEST_F(ClockServiceTest, ReportedLagIsCompensatedWithinTheQuota) {
  pb::StartClockRequest start = StartRequest("g");
  start.mutable_time_control()->mutable_lag_compensation()->set_per_move_ms(400);
  pb::StartClockResponse started;
  ExpectReason(stub_->StartClock(Service().get(), start, &started),
               grpc::StatusCode::INVALID_ARGUMENT, "LAG_COMPENSATION_OUT_OF_RANGE");
  start.mutable_time_control()->mutable_lag_compensation()->set_per_game_ms(10000);
  ASSERT_TRUE(stub_->StartClock(Service().get(), start, &started).ok());
  pb::PressClockRequest press = PressRequest("g", 0, SIDE_FIRST, kStartMs + 7000);
  press.set_thinking_ms(6000);
  pb::PressClockResponse pressed;
  ASSERT_TRUE(Press(press, &pressed).ok());
  EXPECT_EQ(pressed.used_ms(), 6600);
  EXPECT_EQ(pressed.clock().first().compensated_ms(), 400);
}

TEST_F(ClockServiceTest, StopsForGood) {
  StartGame("g");
  pb::StopClockRequest request;
  request.set_game_id("g");
  request.set_at_ms(kStartMs + 5000);
  pb::StopClockResponse response;
  ASSERT_TRUE(stub_->StopClock(Service().get(), request, &response).ok());
  EXPECT_EQ(response.clock().running(), SIDE_UNSPECIFIED);
  EXPECT_EQ(response.clock().deadline_ms(), 0);
  pb::PressClockResponse pressed;
  ExpectReason(Press(PressRequest("g", 0, SIDE_FIRST, kStartMs + 6000), &pressed),
               grpc::StatusCode::FAILED_PRECONDITION, "CLOCK_STOPPED");
}

TEST_F(ClockServiceTest, OnlyServicesMayTouchAClock) {
  StartGame("g");
  for (const CallerKind kind : {CallerKind::kGuest, CallerKind::kPlayer, CallerKind::kBot}) {
    const auto as = [&] { return server_->ContextAs(kind, "p1"); };
    const auto denied = grpc::StatusCode::PERMISSION_DENIED;
    pb::StartClockResponse started;
    EXPECT_EQ(stub_->StartClock(as().get(), StartRequest("h"), &started).error_code(), denied);
    pb::PressClockResponse pressed;
    const auto press = PressRequest("g", 0, SIDE_FIRST, kStartMs);
    EXPECT_EQ(stub_->PressClock(as().get(), press, &pressed).error_code(), denied);
    pb::StopClockRequest stop;
    stop.set_game_id("g");
    stop.set_at_ms(kStartMs);
    pb::StopClockResponse stopped;
    EXPECT_EQ(stub_->StopClock(as().get(), stop, &stopped).error_code(), denied);
    pb::AdjustClockResponse adjusted;
    EXPECT_EQ(stub_->AdjustClock(as().get(), {}, &adjusted).error_code(), denied);
    const Context context = as();
    pb::WatchExpiriesResponse expiry;
    const auto watch = stub_->WatchExpiries(context.get(), {});
    EXPECT_FALSE(watch->Read(&expiry));
    EXPECT_EQ(watch->Finish().error_code(), denied);
  }
}

TEST_F(ClockServiceTest, WatchersHearOfExpiriesAndHeartbeats) {
  StartGame("g");
  const Context context = Service();
  const auto watch = stub_->WatchExpiries(context.get(), {});
  pb::WatchExpiriesResponse message;
  ASSERT_TRUE(watch->Read(&message));
  EXPECT_TRUE(message.game_id().empty()) << "the stream says at once that it is open";
  time_.Set(kStartMs + 390000 + 100);
  expiries_->Tick();
  do {
    ASSERT_TRUE(watch->Read(&message));
  } while (message.game_id().empty());
  EXPECT_EQ(message.game_id(), "g");
  EXPECT_EQ(message.ply(), 0);
  EXPECT_EQ(message.side(), SIDE_FIRST);
  EXPECT_EQ(message.deadline_ms(), kStartMs + 390000);
  context->TryCancel();
  watch->Finish();
}

}  // namespace
}  // namespace komadai::clock
