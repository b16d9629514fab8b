// What a client that nobody knows can do to a server by the way it uses HTTP/2.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "google/rpc/error_details.pb.h"
#include "komadai/internal/v1/echo.pb.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/raw_http2.h"
#include "libs/rpc/testing/test_server.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kEcho[] = "/komadai.internal.v1.EchoService/Echo";
constexpr int kCancelled = 1, kUnimplemented = 12, kOk = 0;
constexpr std::chrono::seconds kPatience{30};

class StrangersTest : public ::testing::Test {
 protected:
  void Start(const ServerSettings& settings = TestServerOptions::WithoutLimits()) {
    TestServerOptions options{.listen = true, .settings = settings};
    server_ = std::make_unique<TestServer>(std::vector<ComponentSpec>{EchoComponent()}, options);
  }
  std::unique_ptr<RawHttp2> Connect(const RawHttp2::Options& options = {}) {
    Result<std::unique_ptr<RawHttp2>> raw = RawHttp2::Connect(server_->server().address(), options);
    EXPECT_TRUE(raw) << raw.error().ToString();
    return *std::move(raw);
  }
  static std::string Request(std::size_t bytes) {
    pb::EchoRequest request;
    request.set_payload(std::string(bytes, 'x'));
    return request.SerializeAsString();
  }
  // Not ended if the connection is refused.
  RawHttp2::Answer CallOnNewConnection() {
    const Result<std::unique_ptr<RawHttp2>> raw =
        RawHttp2::Connect(server_->server().address(), {});
    return raw ? (*raw)->Call(kEcho, Request(1)) : RawHttp2::Answer();
  }
  std::string Scrape() { return server_->server().metrics().Scrape(); }

  std::unique_ptr<TestServer> server_;
};

TEST_F(StrangersTest, TheRawClientIsUnderstood) {
  Start();
  const RawHttp2::Answer answer = Connect()->Call(kEcho, Request(50'000));
  EXPECT_EQ(answer.status, kOk);
  pb::EchoResponse response;
  ASSERT_TRUE(response.ParseFromString(answer.message));
  EXPECT_EQ(response.payload().size(), 50'000u);
}

// Whatever is inside: nothing is inflated.
TEST_F(StrangersTest, CompressedRequestsAreRefused) {
  Start();
  for (const char* encoding : {"gzip", "deflate"}) {
    const auto raw = Connect();
    const std::uint32_t stream = raw->Begin(kEcho, {{"grpc-encoding", encoding}});
    ASSERT_TRUE(raw->SendMessage(stream, "not even compressed", true, /*compressed=*/true));
    const RawHttp2::Answer answer = raw->Await(stream, kPatience);
    EXPECT_TRUE(answer.ended);
    EXPECT_EQ(answer.status, kUnimplemented) << encoding;
  }
}

TEST_F(StrangersTest, MethodsThatDoNotExistAreAnsweredWithAReasonCountedAndLimited) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.limits.anonymous_calls_per_second = 0.001;
  settings.limits.anonymous_burst = 3;
  Start(settings);
  const auto raw = Connect();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(raw->Call("/komadai.internal.v1.EchoService/Nope", "").status, kUnimplemented);
  }
  const int kResourceExhausted = 8;
  EXPECT_EQ(raw->Call("/nothing/At/All", "").status, kResourceExhausted);
  EXPECT_THAT(Scrape(), HasSubstr("komadai_rpc_handled_total{code=\"UNIMPLEMENTED\",method="
                                  "\"unknown\",service=\"unknown\"} 3"));
}

TEST_F(StrangersTest, AnAnswerThatIsNotReadIsCancelled) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.slow_client_limit = Millis(100);
  Start(settings);
  const auto raw = Connect({.window = 0});
  std::vector<std::uint32_t> streams;
  for (int i = 0; i < 5; ++i) {
    streams.push_back(raw->Begin(kEcho));
    ASSERT_TRUE(raw->SendMessage(streams.back(), Request(50'000)));
  }
  for (const std::uint32_t stream : streams) EXPECT_TRUE(raw->Await(stream, kPatience).ended);
  EXPECT_THAT(Scrape(), HasSubstr("komadai_rpc_slow_clients_total 5"));
}

TEST_F(StrangersTest, ARequestThatDoesNotArriveIsCancelled) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.slow_client_limit = Millis(100);
  settings.call_slots = {.calls_per_address = 100, .reads_per_address = 2};
  Start(settings);
  const auto raw = Connect();
  std::vector<std::uint32_t> streams;
  for (int i = 0; i < 5; ++i) {  // two of them are read, three wait for that
    streams.push_back(raw->Begin(kEcho));
    ASSERT_TRUE(raw->SendData(streams.back(), std::string("\0\0\1\0\0half", 9), false));
  }
  for (const std::uint32_t stream : streams) EXPECT_TRUE(raw->Await(stream, kPatience).ended);
  EXPECT_THAT(Scrape(), HasSubstr("komadai_rpc_slow_clients_total 5"));
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);  // their slots are free again
}

TEST_F(StrangersTest, ACallWithoutARequestIsMalformed) {
  Start();
  const auto raw = Connect();
  const std::uint32_t stream = raw->Begin(kEcho);
  ASSERT_TRUE(raw->SendData(stream, "", true));
  const int kInvalidArgument = 3;
  EXPECT_EQ(raw->Await(stream, kPatience).status, kInvalidArgument);
}

TEST_F(StrangersTest, AnAddressHasSoManyOpenCalls) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.call_slots = {.calls_per_address = 3, .reads_per_address = 0};
  Start(settings);
  const auto raw = Connect();
  for (int i = 0; i < 3; ++i) ASSERT_NE(raw->Begin(kEcho), 0u);
  while (Scrape().find("komadai_rpc_in_flight{method=\"Echo\",service=\"komadai.internal.v1."
                       "EchoService\"} 3") == std::string::npos) {
  }
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, 8);  // RESOURCE_EXHAUSTED
  EXPECT_EQ(Connect({.source = "127.0.0.2"})->Call(kEcho, Request(1)).status, kOk);
  for (const std::uint32_t stream : {1u, 3u, 5u}) raw->Reset(stream);
  int status = -1;  // the server may not have noticed yet
  for (int i = 0; i < 1000 && status != kOk; ++i) status = raw->Call(kEcho, Request(1)).status;
  EXPECT_EQ(status, kOk);
}

// A caller that may not call is told so before it has sent anything.
TEST_F(StrangersTest, ACallIsRefusedBeforeItsRequestIsRead) {
  Start();
  const auto raw = Connect();
  const std::uint32_t stream = raw->Begin("/komadai.internal.v1.EchoService/WatchEcho");
  const int kUnauthenticatedCode = 16;
  EXPECT_EQ(raw->Await(stream, kPatience).status, kUnauthenticatedCode);
}

// CVE-2023-44487: calls are reset as soon as they are made.
TEST_F(StrangersTest, AConnectionThatResetsWithoutEndIsCutAndItsAddressBannedForAWhile) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.max_concurrent_streams = 10;
  Start(settings);
  const auto raw = Connect({.source = "127.0.0.2"});
  const auto until = std::chrono::steady_clock::now() + kPatience;
  while (!raw->broken() && std::chrono::steady_clock::now() < until) {
    for (int i = 0; i < 100; ++i) {
      const std::uint32_t stream = raw->Begin(kEcho);
      raw->SendMessage(stream, Request(10));
      raw->Reset(stream);
    }
    raw->Pump();
  }
  EXPECT_TRUE(raw->broken());
  EXPECT_THAT(Scrape(), HasSubstr("komadai_connections_cut_total{from=\"loopback\"} 1"));
  const auto again = RawHttp2::Connect(server_->server().address(), {.source = "127.0.0.2"});
  EXPECT_FALSE(again && (*again)->Call(kEcho, Request(1)).ended);
  EXPECT_EQ(Connect()->Call(kEcho, Request(1)).status, kOk);
}

TEST_F(StrangersTest, CallsThatAreCancelledNowAndThenDoNoHarm) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.max_concurrent_streams = 10;
  Start(settings);
  const auto raw = Connect();
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t stream = raw->Begin(kEcho);
    raw->SendMessage(stream, Request(10));
    raw->Reset(stream);
    EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);
  }
}

TEST_F(StrangersTest, HealthChecksAreLimitedByAddress) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.limits.plain_calls_per_second = 0.001;
  settings.limits.plain_burst = 2;
  Start(settings);
  const auto raw = Connect();
  EXPECT_EQ(raw->Call("/grpc.health.v1.Health/Check", "").status, kOk);
  EXPECT_EQ(raw->Call("/grpc.health.v1.Health/Check", "").status, kOk);
  const RawHttp2::Answer third = raw->Call("/grpc.health.v1.Health/Check", "");
  EXPECT_TRUE(third.ended);
  EXPECT_TRUE(third.status == kCancelled || third.status == -1) << third.status;
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);  // other calls are counted elsewhere
  EXPECT_THAT(Scrape(), HasSubstr("komadai_rpc_rate_limited_total{by=\"plain\",from="
                                  "\"loopback\"} 1"));
}

TEST_F(StrangersTest, AnAddressHasItsShareOfConnections) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.max_connections_per_address = 2;
  Start(settings);
  auto first = Connect();
  const auto second = Connect();
  EXPECT_EQ(first->Call(kEcho, Request(1)).status, kOk);
  EXPECT_EQ(second->Call(kEcho, Request(1)).status, kOk);
  EXPECT_FALSE(CallOnNewConnection().ended);
  EXPECT_EQ(Connect({.source = "127.0.0.2"})->Call(kEcho, Request(1)).status, kOk);
  first.reset();
  RawHttp2::Answer answer;  // the server may not have noticed yet
  for (int i = 0; i < 1000 && !answer.ended; ++i) answer = CallOnNewConnection();
  EXPECT_EQ(answer.status, kOk);
}

TEST_F(StrangersTest, BehindProxiesConnectionsAreNotCountedByAddress) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.max_connections_per_address = 1;
  settings.limits.trusted_proxies = 1;
  Start(settings);
  const auto first = Connect();
  const auto second = Connect();
  EXPECT_EQ(first->Call(kEcho, Request(1)).status, kOk);
  EXPECT_EQ(second->Call(kEcho, Request(1)).status, kOk);
}

TEST_F(StrangersTest, OfSeveralForwardedLinesTheProxysCounts) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.limits.trusted_proxies = 1;
  settings.limits.anonymous_calls_per_second = 0.001;
  settings.limits.anonymous_burst = 1;
  Start(settings);
  const auto raw = Connect();
  const auto call = [&](const std::string& claimed, const std::string& seen) {
    return raw->Call(kEcho, Request(1), {{"x-forwarded-for", claimed}, {"x-forwarded-for", seen}})
        .status;
  };
  EXPECT_EQ(call("198.51.100.1", "203.0.113.1"), kOk);
  EXPECT_NE(call("198.51.100.2", "203.0.113.1"), kOk);
  EXPECT_EQ(call("198.51.100.1", "203.0.113.2"), kOk);
}

TEST_F(StrangersTest, WhoComesPastTheProxiesCountsByItsOwnAddress) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.limits.trusted_proxies = 1;
  settings.limits.anonymous_calls_per_second = 0.001;
  settings.limits.anonymous_burst = 1;
  Start(settings);
  const auto raw = Connect();
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);
  EXPECT_NE(raw->Call(kEcho, Request(1)).status, kOk);
}

TEST_F(StrangersTest, ABigRequestCountsAsManyCalls) {
  ServerSettings settings = TestServerOptions::WithoutLimits();
  settings.limits.anonymous_calls_per_second = 0.001;
  settings.limits.anonymous_burst = 20;
  Start(settings);
  const auto raw = Connect();
  EXPECT_EQ(raw->Call(kEcho, Request(36'000)).status, kOk);  // 1 + 17
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);
  EXPECT_EQ(raw->Call(kEcho, Request(1)).status, kOk);
  EXPECT_NE(raw->Call(kEcho, Request(1)).status, kOk);
}

TEST_F(StrangersTest, RefusalsAreLoggedWithTheAddressAndNotWithoutEnd) {
  Start();
  const auto raw = Connect({.source = "127.0.0.9"});
  for (int i = 0; i < 200; ++i) raw->Call("/nothing/Here", "");
  int lines = 0;
  std::string last;
  for (const std::string& line : server_->LogLines()) {
    if (line.find("UNKNOWN_METHOD") == std::string::npos) continue;
    ++lines;
    last = line;
  }
  EXPECT_GE(lines, telemetry::Repeats::kBurst);
  EXPECT_LT(lines, 200);
  EXPECT_THAT(last, HasSubstr("127.0.0.9"));
}

TEST_F(StrangersTest, RubbishAndHugeFramesEndTheConnectionOnly) {
  Start();
  for (const std::string& bytes :
       {std::string(100'000, 'x'), std::string("GET / HTTP/1.1\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") + std::string("\xFF\xFF\xFF\x00\x00", 5)}) {
    const auto raw = Connect({.greet = false});
    raw->Send(bytes);
    while (raw->Pump(std::chrono::milliseconds(100)) && !raw->broken()) {
      if (bytes.size() == 33) break;  // the server may wait for the rest of the frame
    }
  }
  EXPECT_EQ(Connect()->Call(kEcho, Request(1)).status, kOk);
}

}  // namespace
}  // namespace komadai::rpc
