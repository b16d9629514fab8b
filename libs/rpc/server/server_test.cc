// The machinery on real gRPC: one call after another, in process and over loopback.
#include "libs/rpc/server/server.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/time_util.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/sync_stream.h>
#include <gtest/gtest.h>

#include <functional>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/service.h"
#include "libs/rpc/testing/test_server.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using google::protobuf::util::TimeUtil;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ServerTest : public ::testing::Test {
 protected:
  pb::EchoService::Stub& stub() { return *stub_; }
  Result<pb::EchoResponse> Echo(const pb::EchoRequest& request,
                                std::unique_ptr<grpc::ClientContext> context) {
    pb::EchoResponse response;
    const grpc::Status status = stub_->Echo(context.get(), request, &response);
    if (!status.ok()) return FromGrpcStatus(status);
    return response;
  }
  Result<pb::EchoResponse> Echo(const pb::EchoRequest& request) {
    return Echo(request, server_.AnonymousContext());
  }

  TestServer server_{{EchoComponent()}};
  std::unique_ptr<pb::EchoService::Stub> stub_ = server_.Stub<pb::EchoService>();
};

TEST_F(ServerTest, AnswersAndKnowsTheCaller) {
  pb::EchoRequest request;
  request.set_payload("駒台");
  const auto anonymous = Echo(request);
  ASSERT_TRUE(anonymous) << anonymous.error().ToString();
  EXPECT_EQ(anonymous->payload(), "駒台");
  EXPECT_EQ(anonymous->caller_id(), "");
  EXPECT_NE(anonymous->request_id(), "");
  EXPECT_EQ(Echo(request, server_.ContextAs(CallerKind::kGuest, "p1"))->caller_id(), "p1");
}

TEST_F(ServerTest, ErrorsArriveWithReasonAndMetadata) {
  pb::EchoRequest request;
  request.set_payload("g1");
  request.set_fail_code(9);
  request.set_fail_reason("NOT_YOUR_TURN");
  const auto failed = Echo(request);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), Code::kFailedPrecondition);
  EXPECT_EQ(failed.error().reason(), "NOT_YOUR_TURN");
  EXPECT_EQ(failed.error().metadata().at("payload"), "g1");
  EXPECT_THAT(server_.LogLines(),
              Contains(AllOf(HasSubstr("NOT_YOUR_TURN"), HasSubstr("FAILED_PRECONDITION"))));
}

TEST_F(ServerTest, AnExceptionIsInternalAndItsTextStaysInTheLog) {
  pb::EchoRequest request;
  request.set_throw_exception(true);
  const auto failed = Echo(request);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().Is(kInternal));
  EXPECT_THAT(failed.error().message(), Not(HasSubstr("as asked for")));
  EXPECT_THAT(server_.LogLines(),
              Contains(AllOf(HasSubstr("exception in a handler"), HasSubstr("as asked for"))));
  EXPECT_TRUE(Echo(pb::EchoRequest()));  // and the server lives on
}

TEST_F(ServerTest, TheClientsRequestIdIsUsedIfItIsPlain) {
  auto good = server_.AnonymousContext();
  good->AddMetadata("x-request-id", "client-42");
  EXPECT_EQ(Echo({}, std::move(good))->request_id(), "client-42");
  auto bad = server_.AnonymousContext();
  bad->AddMetadata("x-request-id", "\"},{evil");
  EXPECT_THAT(Echo({}, std::move(bad))->request_id(), Not(HasSubstr("evil")));
}

TEST_F(ServerTest, DeadlinesAreClampedToTheMethodsLimit) {
  auto endless = std::make_unique<grpc::ClientContext>();
  const auto without = Echo({}, std::move(endless));
  ASSERT_TRUE(without);
  EXPECT_LE(TimeUtil::DurationToMilliseconds(without->remaining_duration()), 5000);
  EXPECT_GT(TimeUtil::DurationToMilliseconds(without->remaining_duration()), 0);
  auto shorter = std::make_unique<grpc::ClientContext>();
  shorter->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(3));
  EXPECT_LE(TimeUtil::DurationToMilliseconds(Echo({}, std::move(shorter))->remaining_duration()),
            3000);
}

TEST_F(ServerTest, BadTokensAreRefusedEvenWhereNoneIsNeeded) {
  auto garbage = server_.AnonymousContext();
  garbage->AddMetadata("authorization", "Bearer garbage");
  const auto failed = Echo({}, std::move(garbage));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), Code::kUnauthenticated);
  EXPECT_EQ(failed.error().reason(), "TOKEN_INVALID");
}

TEST_F(ServerTest, AMethodForAuthenticatedCallersRefusesAnonymousOnes) {
  const auto context = server_.AnonymousContext();
  pb::WatchEchoResponse message;
  const auto reader = stub().WatchEcho(context.get(), pb::WatchEchoRequest());
  EXPECT_FALSE(reader->Read(&message));
  const Error error = FromGrpcStatus(reader->Finish());
  EXPECT_EQ(error.reason(), "UNAUTHENTICATED");
}

TEST_F(ServerTest, TokensNeverReachTheLog) {
  const std::string authorization = server_.Authorization(CallerKind::kGuest, "p1");
  auto context = server_.AnonymousContext();
  context->AddMetadata("authorization", authorization);
  pb::EchoRequest request;
  request.set_fail_code(13);
  ASSERT_FALSE(Echo(request, std::move(context)));
  const std::string token = authorization.substr(7);
  for (const std::string& line : server_.LogLines()) EXPECT_THAT(line, Not(HasSubstr(token)));
}

TEST_F(ServerTest, HealthNamesTellReadinessAndLiveness) {
  EXPECT_EQ(server_.HealthOf(""), "SERVING");
  EXPECT_EQ(server_.HealthOf("komadai.internal.v1.EchoService"), "SERVING");
  EXPECT_EQ(server_.HealthOf("live"), "SERVING");
  EXPECT_EQ(server_.HealthOf("nonsense"), "NOT_FOUND");
  server_.server().readiness().Drain();
  EXPECT_EQ(server_.HealthOf(""), "NOT_SERVING");
  EXPECT_EQ(server_.HealthOf("komadai.internal.v1.EchoService"), "NOT_SERVING");
  EXPECT_EQ(server_.HealthOf("live"), "SERVING");
}

TEST_F(ServerTest, AMalformedRequestGetsATypedErrorIsCountedAndLogged) {
  const grpc::Slice slice("\x0a\x7fno such message");  // a text of 127 bytes that is shorter
  const grpc::ByteBuffer bytes(&slice, 1);
  const grpc::internal::RpcMethod unary("/komadai.internal.v1.EchoService/Echo",
                                        grpc::internal::RpcMethod::NORMAL_RPC);
  grpc::ByteBuffer answer;
  const auto context = server_.AnonymousContext();
  const Error refused =
      FromGrpcStatus(grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
          server_.channel().get(), unary, context.get(), bytes, &answer));
  EXPECT_TRUE(refused.Is(kMalformedRequest)) << refused.ToString();
  EXPECT_THAT(server_.LogLines(), Contains(HasSubstr("MALFORMED_REQUEST")));
  EXPECT_THAT(server_.server().metrics().Scrape(),
              HasSubstr("komadai_rpc_handled_total{code=\"INVALID_ARGUMENT\",method=\"Echo\""));

  const grpc::internal::RpcMethod stream("/komadai.internal.v1.EchoService/WatchEcho",
                                         grpc::internal::RpcMethod::SERVER_STREAMING);
  const auto as_player = server_.ContextAs(CallerKind::kPlayer, "p1");
  const std::unique_ptr<grpc::ClientReader<grpc::ByteBuffer>> reader(
      grpc::internal::ClientReaderFactory<grpc::ByteBuffer>::Create(server_.channel().get(), stream,
                                                                    as_player.get(), bytes));
  EXPECT_FALSE(reader->Read(&answer));
  EXPECT_TRUE(FromGrpcStatus(reader->Finish()).Is(kMalformedRequest));
}

TEST_F(ServerTest, ReflectionListsTheServices) {
  const auto context = server_.AnonymousContext();
  const grpc::internal::RpcMethod method(
      "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
      grpc::internal::RpcMethod::BIDI_STREAMING);
  using Factory = grpc::internal::ClientReaderWriterFactory<grpc::ByteBuffer, grpc::ByteBuffer>;
  const std::unique_ptr<grpc::ClientReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer>> stream(
      Factory::Create(server_.channel().get(), method, context.get()));
  const grpc::Slice list_services("\x3a\x01*");  // field 7, any string
  ASSERT_TRUE(stream->Write(grpc::ByteBuffer(&list_services, 1)));
  grpc::ByteBuffer answer;
  ASSERT_TRUE(stream->Read(&answer));
  stream->WritesDone();
  ASSERT_TRUE(stream->Finish().ok());
  grpc::Slice bytes;
  ASSERT_TRUE(answer.DumpToSingleSlice(&bytes).ok());
  const std::string text(bytes.begin(), bytes.end());
  EXPECT_THAT(text, HasSubstr("komadai.internal.v1.EchoService"));
  EXPECT_THAT(text, HasSubstr("grpc.health.v1.Health"));
}

// A renamed metric breaks dashboards and alerts: change them together.
TEST_F(ServerTest, MetricNamesAreTheCataloguedOnes) {
  EXPECT_EQ(server_.server().metrics().Catalogue(),
            (std::vector<std::string>{
                "komadai_escaped_exceptions_total counter ",
                "komadai_process_cpu_seconds gauge ",
                "komadai_process_open_files gauge ",
                "komadai_process_resident_bytes gauge ",
                "komadai_process_threads gauge ",
                "komadai_ready gauge ",
                "komadai_rpc_duration_seconds histogram method,service",
                "komadai_rpc_handled_total counter code,method,service",
                "komadai_rpc_in_flight gauge method,service",
                "komadai_rpc_rate_limited_total counter by,from",
                "komadai_rpc_slow_clients_total counter ",
                "komadai_rpc_slow_consumers_total counter method,service",
                "komadai_rpc_stream_messages_total counter method,service",
            }));
  ASSERT_TRUE(Echo({}));
  EXPECT_THAT(server_.server().metrics().Scrape(),
              AllOf(HasSubstr("komadai_rpc_handled_total{code=\"OK\",method=\"Echo\",service="
                              "\"komadai.internal.v1.EchoService\"} 1"),
                    HasSubstr("komadai_ready 1")));
}

TEST(ServerStartTest, ABusyPortIsReported) {
  TestServer first({EchoComponent()}, {.listen = true});
  ServerSettings settings;
  settings.listen = first.server().address();
  settings.token_secret = config::Secret("0123456789abcdef0123456789abcdef");
  const SystemTimeSource time;
  SystemRandom random;
  ServerEnvironment environment;
  environment.time = &time;
  environment.random = &random;
  auto second = Server::Start(settings, {EchoComponent()}, std::move(environment));
  ASSERT_FALSE(second);
  EXPECT_TRUE(second.error().Is(kListenFailed));
}

TEST(ServerStartTest, MissingSecretAndMissingPeerAreBadSettings) {
  const SystemTimeSource time;
  SystemRandom random;
  ServerEnvironment environment;
  environment.time = &time;
  environment.random = &random;
  ServerSettings settings;
  settings.listen = "";
  auto no_secret = Server::Start(settings, {EchoComponent()}, environment);
  ASSERT_FALSE(no_secret);
  EXPECT_TRUE(no_secret.error().Is(kBadSettings));
  settings.token_secret = config::Secret("0123456789abcdef0123456789abcdef");
  ComponentSpec needy = EchoComponent();
  needy.dependencies = {"rules"};
  auto no_peer = Server::Start(settings, {needy}, environment);
  ASSERT_FALSE(no_peer);
  EXPECT_THAT(no_peer.error().message(), HasSubstr("rules"));
}

TEST(ServerStartTest, AComponentThatCannotStartEndsTheServerInOrder) {
  class Failing final : public Component {
   public:
    std::vector<Service*> Services() override { return {}; }
    Status Start() override { return Error(kUnavailable, "no store"); }
  };
  const SystemTimeSource time;
  SystemRandom random;
  ServerEnvironment environment;
  environment.time = &time;
  environment.random = &random;
  ServerSettings settings;
  settings.listen = "";
  settings.token_secret = config::Secret("0123456789abcdef0123456789abcdef");
  ComponentSpec failing{.name = "failing",
                        .bind = [](BindContext&) -> Result<std::unique_ptr<Component>> {
                          return std::unique_ptr<Component>(std::make_unique<Failing>());
                        }};
  auto started = Server::Start(settings, {EchoComponent(), failing}, environment);
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message(), "no store");
}

// A service of the contract whose handlers are what the test registers.
class Registering final : public Service {
 public:
  Registering(Runtime& runtime, const std::function<void(Registering&)>& handlers)
      : Service(runtime, pb::EchoService::service_full_name()) {
    handlers(*this);
  }
  void Echo() { Unary(&AnswerEcho, {}); }
  void EchoWithAnotherAnswer() { Unary(&AnswerOther, {}); }
  void MethodOfAnotherService() { Unary(&AnswerRaw, {}); }
  void EchoThatNobodyMayCall() { Unary(&AnswerEcho, {.allow = CallerSet()}); }

 private:
  static Result<pb::EchoResponse> AnswerEcho(const pb::EchoRequest&) { return pb::EchoResponse(); }
  static Result<pb::RawEchoResponse> AnswerOther(const pb::EchoRequest&) {
    return pb::RawEchoResponse();
  }
  static Result<pb::RawEchoResponse> AnswerRaw(const pb::RawEchoRequest&) {
    return pb::RawEchoResponse();
  }
};

TEST(ServiceDeathTest, AServiceThatDoesNotFitItsContractDoesNotStart) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const SystemTimeSource time;
  telemetry::Metrics metrics;
  Runtime runtime;
  runtime.metrics = &metrics;
  runtime.time = &time;
  const auto with = [&](const std::function<void(Registering&)>& handlers) {
    Registering(runtime, handlers).CheckComplete();
  };
  EXPECT_DEATH(with([](Registering& service) { service.Echo(); }), "check failed");  // WatchEcho
  EXPECT_DEATH(with([](Registering& service) {
                 service.Echo();
                 service.Echo();
               }),
               "check failed");
  EXPECT_DEATH(with(&Registering::EchoWithAnotherAnswer), "check failed");
  EXPECT_DEATH(with(&Registering::MethodOfAnotherService), "check failed");
  EXPECT_DEATH(with(&Registering::EchoThatNobodyMayCall), "check failed");
}

TEST(ServerTcpTest, ServesOverLoopbackAndMetricsOverHttp) {
  TestServerOptions options{.listen = true};
  options.settings.metrics_listen = "127.0.0.1:0";
  TestServer server({EchoComponent()}, options);
  EXPECT_GT(server.server().metrics_port(), 0);
  const auto stub = pb::EchoService::NewStub(server.NewTcpChannel());
  pb::EchoRequest request;
  request.set_payload("x");
  pb::EchoResponse response;
  const auto context = server.ContextAs(CallerKind::kPlayer, "p7");
  ASSERT_TRUE(stub->Echo(context.get(), request, &response).ok());
  EXPECT_EQ(response.caller_id(), "p7");
}

}  // namespace
}  // namespace komadai::rpc
