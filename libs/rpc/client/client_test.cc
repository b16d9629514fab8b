// Calls between services: deadlines, identity, errors, retries, subscriptions.
#include "libs/rpc/client/client.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/time_util.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/base/no_waiting.h"
#include "libs/rpc/client/subscription.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/service.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/rpc/timer.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using google::protobuf::util::TimeUtil;
using ::testing::HasSubstr;

// A service that asks another one: Echo forwards to the real echo service.
class FrontService final : public Service {
 public:
  explicit FrontService(BindContext& context)
      : Service(context.runtime, pb::EchoService::service_full_name()), client_(context, "echo") {
    Unary(&FrontService::Echo, {.max_deadline = Millis(3000), .allow = kPersons});
    Stream(&FrontService::WatchEcho, {});
  }

 private:
  Task<Result<pb::EchoResponse>> Echo(Call call, const pb::EchoRequest& request) {
    static constexpr CallOptions kAsService{.timeout = Millis(60000)};
    static constexpr CallOptions kAsCaller{.timeout = Millis(60000), .act_as = ActAs::kCaller};
    const CallOptions& options = request.payload() == "as caller" ? kAsCaller : kAsService;
    if (request.payload() != "wait") {
      co_return co_await client_.Call<pb::EchoResponse>(call, request, options);
    }
    EXPECT_TRUE(NoWaiting::Active());
    Result<pb::EchoResponse> answer =
        co_await client_.Call<pb::EchoResponse>(call, request, options);
    EXPECT_TRUE(NoWaiting::Active());
    co_await SleepFor(Millis(1));
    EXPECT_TRUE(NoWaiting::Active());
    co_return answer;
  }
  Task<Result<AfterSetup>> WatchEcho(Call, pb::WatchEchoRequest,
                                     std::shared_ptr<EventStream<pb::WatchEchoResponse>>) {
    co_return AfterSetup::kComplete;
  }

  Client client_;
};

// Answers services only, and at once.
class ServicesOnly final : public Service {
 public:
  explicit ServicesOnly(BindContext& context)
      : Service(context.runtime, pb::RawEchoService::service_full_name()) {
    Unary(&Answer, {.allow = kServices, .max_request_bytes = 100});
  }

 private:
  static Result<pb::RawEchoResponse> Answer(const pb::RawEchoRequest&) {
    return pb::RawEchoResponse();
  }
};

class Front final : public Component {
 public:
  explicit Front(BindContext& context) : echo_(context), services_only_(context) {}
  std::vector<Service*> Services() override { return {&echo_, &services_only_}; }

 private:
  FrontService echo_;
  ServicesOnly services_only_;
};

ComponentSpec FrontComponent() {
  return {.name = "front",
          .dependencies = {"echo"},
          .bind = [](BindContext& context) -> Result<std::unique_ptr<Component>> {
            return std::unique_ptr<Component>(std::make_unique<Front>(context));
          }};
}

// No service, only a client for the test to use.
class Probe final : public Component {
 public:
  std::vector<Service*> Services() override { return {}; }
};
ComponentSpec ProbeComponent(std::unique_ptr<Client>& client) {
  return {.name = "probe",
          .dependencies = {"echo"},
          .bind = [&client](BindContext& context) -> Result<std::unique_ptr<Component>> {
            client = std::make_unique<Client>(context, "echo");
            return std::unique_ptr<Component>(std::make_unique<Probe>());
          }};
}

Result<pb::EchoResponse> CallAndWait(Client& client, Call call, pb::EchoRequest request,
                                     CallOptions options) {
  std::promise<Result<pb::EchoResponse>> outcome;
  Start(client.Call<pb::EchoResponse>(std::move(call), std::move(request), options),
        [&](Result<pb::EchoResponse> result) { outcome.set_value(std::move(result)); });
  return outcome.get_future().get();
}

const SystemTimeSource kTime;

class ForwardingTest : public ::testing::Test {
 protected:
  TestServer echo_{{EchoComponent()}, {.listen = true}};
  TestServer front_{{FrontComponent()}, {.targets = {{"echo", echo_.server().address()}}}};
  std::unique_ptr<pb::EchoService::Stub> stub_ = front_.Stub<pb::EchoService>();
  std::unique_ptr<pb::RawEchoService::Stub> services_only_ = front_.Stub<pb::RawEchoService>();
};

TEST_F(ForwardingTest, DeadlineRequestIdAndIdentityGoAlong) {
  auto context = front_.ContextAs(CallerKind::kGuest, "p1");
  context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(2));
  context->AddMetadata("x-request-id", "r-17");
  pb::EchoResponse response;
  ASSERT_TRUE(stub_->Echo(context.get(), pb::EchoRequest(), &response).ok());
  EXPECT_EQ(response.request_id(), "r-17");
  EXPECT_EQ(response.caller_id(), "komadai-front");
  EXPECT_LE(TimeUtil::DurationToMilliseconds(response.remaining_duration()), 2000);
}

TEST_F(ForwardingTest, TheLimitOfTheMethodBoundsWhatItsCallsGet) {
  grpc::ClientContext context;  // no deadline
  context.AddMetadata("authorization", front_.Authorization(CallerKind::kGuest, "p1"));
  pb::EchoResponse response;
  ASSERT_TRUE(stub_->Echo(&context, pb::EchoRequest(), &response).ok());
  EXPECT_LE(TimeUtil::DurationToMilliseconds(response.remaining_duration()), 3000);
}

TEST_F(ForwardingTest, ACallCanBeMadeOnTheCallersBehalf) {
  pb::EchoRequest request;
  request.set_payload("as caller");
  pb::EchoResponse response;
  const auto context = front_.ContextAs(CallerKind::kGuest, "p1");
  ASSERT_TRUE(stub_->Echo(context.get(), request, &response).ok());
  EXPECT_EQ(response.caller_id(), "p1");
}

TEST_F(ForwardingTest, NothingWaitsWhereHandlersRun) {
  pb::EchoRequest request;
  request.set_payload("wait");
  pb::EchoResponse response;
  const auto context = front_.ContextAs(CallerKind::kGuest, "p1");
  EXPECT_TRUE(stub_->Echo(context.get(), request, &response).ok());
}

TEST_F(ForwardingTest, ErrorsOfTheOtherSideKeepTheirReason) {
  pb::EchoRequest request;
  request.set_fail_code(5);
  request.set_fail_reason("GAME_NOT_FOUND");
  pb::EchoResponse response;
  const auto context = front_.ContextAs(CallerKind::kBot, "b1");
  const Error error = FromGrpcStatus(stub_->Echo(context.get(), request, &response));
  EXPECT_EQ(error.code(), Code::kNotFound);
  EXPECT_EQ(error.reason(), "GAME_NOT_FOUND");
}

TEST_F(ForwardingTest, WhoMayNotCallIsToldWhoTheyAre) {
  pb::RawEchoResponse response;
  const auto context = front_.ContextAs(CallerKind::kGuest, "g1");
  const Error error =
      FromGrpcStatus(services_only_->RawEcho(context.get(), pb::RawEchoRequest(), &response));
  EXPECT_EQ(error.message(),
            "callers of kind guest may not call komadai.internal.v1.RawEchoService/RawEcho");
  EXPECT_EQ(error.metadata().at("kind"), "guest");
}

TEST_F(ForwardingTest, OnlyTheKindsOfTheTableMayCall) {
  struct Case {
    CallerKind kind;
    Code echo;
    Code raw;
  };
  for (const Case& c :
       {Case{CallerKind::kAnonymous, Code::kUnauthenticated, Code::kUnauthenticated},
        Case{CallerKind::kGuest, Code::kOk, Code::kPermissionDenied},
        Case{CallerKind::kPlayer, Code::kOk, Code::kPermissionDenied},
        Case{CallerKind::kBot, Code::kOk, Code::kPermissionDenied},
        Case{CallerKind::kService, Code::kPermissionDenied, Code::kOk},
        Case{CallerKind::kAdmin, Code::kPermissionDenied, Code::kOk}}) {
    const auto context = [&] {
      return c.kind == CallerKind::kAnonymous ? front_.AnonymousContext()
                                              : front_.ContextAs(c.kind, "x");
    };
    pb::EchoResponse response;
    pb::RawEchoResponse raw;
    EXPECT_EQ(
        static_cast<Code>(stub_->Echo(context().get(), pb::EchoRequest(), &response).error_code()),
        c.echo)
        << KindName(c.kind);
    EXPECT_EQ(
        static_cast<Code>(
            services_only_->RawEcho(context().get(), pb::RawEchoRequest(), &raw).error_code()),
        c.raw)
        << KindName(c.kind);
  }
}

TEST_F(ForwardingTest, RequestsOverTheMethodsSizeAreRefused) {
  pb::RawEchoRequest request;
  request.set_payload(std::string(200, 'x'));
  pb::RawEchoResponse response;
  const auto context = front_.ContextAs(CallerKind::kAdmin, "root");
  const Error error = FromGrpcStatus(services_only_->RawEcho(context.get(), request, &response));
  EXPECT_TRUE(error.Is(kRequestTooLarge));
  EXPECT_NE(error.message().find(" " + error.metadata().at("limit")), std::string::npos)
      << error.message();
  EXPECT_EQ(error.metadata().at("limit"), "100");
}

TEST(ClientTest, ServicesOfOneProcessMeetInProcess) {
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  pb::EchoRequest request;
  request.set_payload("x");
  const auto answer =
      CallAndWait(*client, Call::Background("sweep-1", kTime, Millis(5000)), request, {});
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->caller_id(), "komadai-probe");
  EXPECT_EQ(answer->request_id(), "sweep-1");
  EXPECT_THAT(server.server().metrics().Scrape(),
              HasSubstr("komadai_rpc_client_handled_total{code=\"OK\",method=\"Echo\",peer=\"echo\""
                        "} 1"));
}

TEST(ClientTest, ARequestIdOfAnyBytesIsMadePlain) {
  // gRPC ends the process over a header with other bytes.
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  const std::string odd("game-a\0b\r\n\xff", 11);
  const auto answer = CallAndWait(*client, Call::Background(odd, kTime, Millis(5000)), {}, {});
  ASSERT_TRUE(answer) << answer.error().ToString();
  EXPECT_EQ(answer->request_id(), "game-a_b___");
  const auto long_one =
      CallAndWait(*client, Call::Background(std::string(500, 'x'), kTime, Millis(5000)), {}, {});
  ASSERT_TRUE(long_one) << long_one.error().ToString();
  EXPECT_EQ(long_one->request_id(), std::string(64, 'x'));
}

TEST(ClientTest, APassedDeadlineSendsNothing) {
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  const auto answer = CallAndWait(*client, Call::Background("late", kTime, Millis(0)), {}, {});
  ASSERT_FALSE(answer);
  EXPECT_TRUE(answer.error().Is(kDeadlinePassed));
}

TEST(ClientTest, TheTimeoutEndsACall) {
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  pb::EchoRequest slow;
  *slow.mutable_delay() = TimeUtil::MillisecondsToDuration(1500);
  const CallOptions options{.timeout = Millis(50), .idempotent = true};
  const auto answer =
      CallAndWait(*client, Call::Background("slow", kTime, Millis(5000)), slow, options);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Code::kDeadlineExceeded);
}

TEST(ClientTest, OnlyIdempotentCallsAreRepeatedWhenTheOtherSideIsAway) {
  for (const bool idempotent : {false, true}) {
    std::unique_ptr<Client> client;
    TestServer server({ProbeComponent(client)}, {.targets = {{"echo", "127.0.0.1:1"}}});
    const CallOptions options{.timeout = Millis(5000), .idempotent = idempotent};
    const auto answer =
        CallAndWait(*client, Call::Background("away", kTime, Millis(10000)), {}, options);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), Code::kUnavailable);
    EXPECT_EQ(answer.error().reason(), "RPC_UNAVAILABLE");
    // Addresses of this side of the servers are for the log.
    EXPECT_EQ(answer.error().message(), "the echo service cannot be reached");
    EXPECT_THAT(server.LogLines(), ::testing::Contains(::testing::HasSubstr("127.0.0.1:1")));
    EXPECT_EQ(
        server.server().metrics().Counter("komadai_rpc_client_retries_total", "").Get().Value(),
        idempotent ? 2 : 0);
  }
}

using EchoSubscription = Subscription<pb::WatchEchoRequest, pb::WatchEchoResponse>;

TEST(SubscriptionTest, ReconnectsAndResumesWithoutAGap) {
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  Mutex mutex;
  CondVar changed;
  std::uint64_t last = 0;
  bool gap = false;
  int disconnects = 0;
  EchoSubscription subscription(
      *client, {.request =
                    [&] {
                      const MutexLock lock(mutex);
                      pb::WatchEchoRequest request;
                      request.set_resume_after_sequence(last);
                      request.set_count(3);  // the server ends the stream after three
                      return request;
                    },
                .on_message =
                    [&](const pb::WatchEchoResponse& message) {
                      const MutexLock lock(mutex);
                      gap |= message.sequence() != last + 1;
                      last = message.sequence();
                      changed.NotifyAll();
                    },
                .on_disconnect =
                    [&](const Error&) {
                      const MutexLock lock(mutex);
                      ++disconnects;
                    }});
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  MutexLock lock(mutex);
  while (last < 9 && changed.WaitUntil(lock, until)) {
  }
  EXPECT_GE(last, 9);
  EXPECT_FALSE(gap);
  EXPECT_GE(disconnects, 2);
}

TEST(SubscriptionTest, StopsWhileConnectedWhileWaitingAndWhileAway) {
  std::unique_ptr<Client> client;
  TestServer server({EchoComponent(), ProbeComponent(client)});
  for (const int count : {0, 1}) {  // 0: the stream stays open; 1: it ends and is reopened
    std::promise<void> first;
    std::once_flag once;
    EchoSubscription subscription(*client,
                                  {.request =
                                       [&] {
                                         pb::WatchEchoRequest request;
                                         request.set_count(static_cast<std::uint64_t>(count));
                                         return request;
                                       },
                                   .on_message =
                                       [&](const pb::WatchEchoResponse&) {
                                         std::call_once(once, [&] { first.set_value(); });
                                       }});
    first.get_future().wait();
  }
  std::unique_ptr<Client> away;
  TestServer alone({ProbeComponent(away)}, {.targets = {{"echo", "127.0.0.1:1"}}});
  std::promise<void> failed;
  std::once_flag once;
  EchoSubscription subscription(*away, {.request = [] { return pb::WatchEchoRequest(); },
                                        .on_message = [](const pb::WatchEchoResponse&) {},
                                        .on_disconnect =
                                            [&](const Error& error) {
                                              EXPECT_EQ(error.code(), Code::kUnavailable);
                                              std::call_once(once, [&] { failed.set_value(); });
                                            }});
  failed.get_future().wait();
}

Task<void> Count(std::atomic<int>& runs) {
  ++runs;
  if (runs == 2) throw std::runtime_error("once");
  co_return;
}

TEST(PeriodicTaskTest, RunsUntilStoppedAlsoAfterAnException) {
  std::atomic<int> runs = 0;
  {
    PeriodicTask task(Millis(1), telemetry::Logger::Null(), [&] { return Count(runs); });
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (runs < 5 && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  }
  const int after = runs;
  EXPECT_GE(after, 5);
  std::this_thread::yield();
  EXPECT_EQ(runs, after);
}

}  // namespace
}  // namespace komadai::rpc
