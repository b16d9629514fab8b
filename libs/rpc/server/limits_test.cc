// How many calls a server takes, and whom it counts them for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"
#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/peer_address.h"
#include "libs/rpc/testing/test_server.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using ::testing::HasSubstr;

TEST(PeerAddressTest, PeersAreTheirAddressWithoutThePort) {
  EXPECT_EQ(AddressOfPeer("ipv4:192.0.2.1:5000"), "192.0.2.1");
  EXPECT_EQ(AddressOfPeer("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:5000"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOfPeer("ipv6:[2001:db8:1:2:9::1]:5000"), "2001:db8:1:2::");
  EXPECT_EQ(AddressOfPeer("ipv6:[::ffff:192.0.2.1]:5000"), "192.0.2.1");
  EXPECT_EQ(AddressOfPeer("unix:/run/x"), "");
  EXPECT_EQ(AddressOfPeer("inproc"), "");
}

TEST(PeerAddressTest, OnlyWhatTrustedProxiesAppendedIsBelieved) {
  EXPECT_EQ(ForwardedAddress("203.0.113.9", 1), "203.0.113.9");
  EXPECT_EQ(ForwardedAddress("10.0.0.1, 203.0.113.9", 1), "203.0.113.9");
  EXPECT_EQ(ForwardedAddress("1.2.3.4, 203.0.113.9 , 10.0.0.2", 2), "203.0.113.9");
  EXPECT_EQ(ForwardedAddress("2001:db8:1:2:3::9", 1), "2001:db8:1:2::");
  EXPECT_EQ(ForwardedAddress("203.0.113.9", 2), "");
  EXPECT_EQ(ForwardedAddress("", 1), "");
  EXPECT_EQ(ForwardedAddress(std::string(9000, 'x'), 1), "");
}

class HandTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_.load()); }
  void Advance(Millis by) { now_ += by.count(); }

 private:
  std::atomic<std::int64_t> now_{1'700'000'000'000};
};

class LimitsTest : public ::testing::Test {
 protected:
  void Start(const RateLimitSettings& limits) {
    stub_.reset();
    server_.reset();
    TestServerOptions options;
    options.listen = true;
    options.time = &time_;
    options.settings.limits = limits;
    server_ = std::make_unique<TestServer>(std::vector<ComponentSpec>{EchoComponent()}, options);
    stub_ = pb::EchoService::NewStub(server_->NewTcpChannel());
  }
  grpc::Status Status(std::unique_ptr<grpc::ClientContext> context) {
    pb::EchoResponse response;
    return stub_->Echo(context.get(), pb::EchoRequest(), &response);
  }
  std::string Call(std::unique_ptr<grpc::ClientContext> context) {
    const grpc::Status status = Status(std::move(context));
    return status.ok() ? "OK" : FromGrpcStatus(status).reason();
  }
  std::unique_ptr<grpc::ClientContext> Player(const std::string& id) {
    return server_->ContextAs(CallerKind::kPlayer, id);
  }
  std::unique_ptr<grpc::ClientContext> Through(const std::string& forwarded_for) {
    std::unique_ptr<grpc::ClientContext> context = server_->AnonymousContext();
    context->AddMetadata("x-forwarded-for", forwarded_for);
    return context;
  }

  HandTime time_;
  std::unique_ptr<TestServer> server_;
  std::unique_ptr<pb::EchoService::Stub> stub_;
};

TEST_F(LimitsTest, APlayerIsToldToWaitAndForHowLong) {
  Start({.player_calls_per_second = 2, .player_burst = 3});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Call(Player("p1")), "OK");
  const grpc::Status refused = Status(Player("p1"));
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::RESOURCE_EXHAUSTED);
  google::rpc::Status details;
  ASSERT_TRUE(details.ParseFromString(refused.error_details()));
  google::rpc::ErrorInfo info;
  google::rpc::RetryInfo retry;
  ASSERT_EQ(details.details_size(), 2);
  ASSERT_TRUE(details.details(0).UnpackTo(&info));
  ASSERT_TRUE(details.details(1).UnpackTo(&retry));
  EXPECT_EQ(info.reason(), "RATE_LIMITED");
  EXPECT_EQ(info.metadata().at("by"), "player");
  EXPECT_EQ(retry.retry_delay().nanos(), 500'000'000);
  EXPECT_EQ(Call(Player("p2")), "OK");
  time_.Advance(Millis(500));
  EXPECT_EQ(Call(Player("p1")), "OK");
  EXPECT_EQ(Call(Player("p1")), "RATE_LIMITED");
  EXPECT_THAT(server_->server().metrics().Scrape(),
              HasSubstr("komadai_rpc_rate_limited_total{by=\"player\",from=\"loopback\"} 2"));
}

TEST_F(LimitsTest, AnAddressIsLimitedWhoeverCallsFromItAndServicesAreNot) {
  Start({.address_calls_per_second = 1, .address_burst = 4});
  EXPECT_EQ(Call(server_->AnonymousContext()), "OK");
  EXPECT_EQ(Call(Player("p1")), "OK");
  EXPECT_EQ(Call(Player("p2")), "OK");
  std::unique_ptr<grpc::ClientContext> bad = server_->AnonymousContext();
  bad->AddMetadata("authorization", "Bearer no.such.token");
  EXPECT_EQ(Call(std::move(bad)), "TOKEN_INVALID");  // counts as well
  EXPECT_EQ(Call(Player("p3")), "RATE_LIMITED");
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Call(server_->ContextAs(CallerKind::kService, "komadai-game")), "OK");
    EXPECT_EQ(Call(server_->ContextAs(CallerKind::kAdmin, "root")), "OK");
  }
}

TEST_F(LimitsTest, BehindAProxyTheClientsAddressCounts) {
  Start({.address_calls_per_second = 1, .address_burst = 1, .trusted_proxies = 1});
  EXPECT_EQ(Call(Through("203.0.113.1")), "OK");
  EXPECT_EQ(Call(Through("203.0.113.2")), "OK");
  EXPECT_EQ(Call(Through("198.51.100.7, 203.0.113.1")), "RATE_LIMITED");  // claims another one
}

TEST_F(LimitsTest, WithoutTrustedProxiesTheHeaderMeansNothing) {
  Start({.address_calls_per_second = 1, .address_burst = 1});
  EXPECT_EQ(Call(Through("203.0.113.1")), "OK");
  EXPECT_EQ(Call(Through("203.0.113.2")), "RATE_LIMITED");
}

TEST_F(LimitsTest, ByDefaultEverybodyIsLimited) {
  const RateLimitSettings defaults;
  Start(defaults);
  int answered = 0;
  while (answered <= defaults.player_burst && Call(Player("p1")) == "OK") ++answered;
  EXPECT_EQ(answered, defaults.player_burst);
  EXPECT_EQ(Call(Player("p2")), "OK");
}

}  // namespace
}  // namespace komadai::rpc
