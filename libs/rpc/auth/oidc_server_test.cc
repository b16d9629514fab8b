// A whole server whose players sign in at an issuer of the test, over real HTTPS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/auth/http_get.h"
#include "libs/rpc/auth/oidc.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/certificates.h"
#include "libs/rpc/testing/https_issuer.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/testing/temp_dir.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kIssuer[] = "https://issuer.test";

std::string SetOf(const json& key) { return json{{"keys", json::array({key})}}.dump(); }

TEST(SafeUrlTest, OnlyHttpsAndThisMachine) {
  for (const char* url : {"https://issuer.test/certs", "http://127.0.0.1:80/x", "http://localhost",
                          "http://[::1]:9/"}) {
    EXPECT_TRUE(IsSafeUrl(url)) << url;
  }
  for (const char* url : {"http://issuer.test/", "ftp://127.0.0.1/", "file:///etc/passwd", "",
                          "https://", "http://127.0.0.1.evil.test/", "http://localhost@evil.test/",
                          "http://localhost:1@evil.test/"}) {
    EXPECT_FALSE(IsSafeUrl(url)) << url;
  }
}

// The issuer has a certificate of a private authority.
class OidcServerTest : public ::testing::Test {
 protected:
  OidcServerTest() {
    std::ofstream(dir_.File("ca.pem")) << authority_.Pem();
    std::ofstream(dir_.File("other.pem")) << TestAuthority("other").Pem();
    issuer_.Answer(200, SetOf(signer_.Jwk()));
  }
  TestServerOptions Options(const std::string& ca) {
    TestServerOptions options;
    options.settings.oidc.audiences = "client-1";
    options.settings.oidc.issuer = kIssuer;
    options.settings.oidc.jwks_url = issuer_.Url();
    options.settings.oidc.ca_file = dir_.File(ca);
    return options;
  }
  std::string Token() const {
    const SystemTimeSource time;
    const std::int64_t now = ToUnixMillis(time.Now()) / 1000;
    return signer_.Sign({{"iss", kIssuer},
                         {"aud", "client-1"},
                         {"sub", "sub-1"},
                         {"iat", now},
                         {"exp", now + 3600}});
  }
  // The caller's id as the server knows it, or the reason of the refusal.
  std::string Ask(TestServer& server, const std::string& token) {
    const std::unique_ptr<grpc::ClientContext> context = server.AnonymousContext();
    context->AddMetadata("authorization", "Bearer " + token);
    pb::EchoResponse response;
    const grpc::Status status =
        server.Stub<pb::EchoService>()->Echo(context.get(), pb::EchoRequest(), &response);
    return status.ok() ? response.caller_id() : FromGrpcStatus(status).reason();
  }

  komadai::testing::TempDir dir_;
  TestAuthority authority_{"issuers of the test"};
  HttpsIssuer issuer_{authority_.Issue("issuer")};
  TestSigner signer_{"k1", "RS256"};
};

TEST_F(OidcServerTest, AnIdTokenIsACallerBesideTheServersOwnTokens) {
  TestServer server({EchoComponent()}, Options("ca.pem"));
  ASSERT_TRUE(issuer_.AwaitRequests(1));
  std::string answer;
  do answer = Ask(server, Token());
  while (answer == "TOKEN_KEYS_UNAVAILABLE");
  EXPECT_EQ(answer, PlayerIdOf(kIssuer, "sub-1"));
  EXPECT_EQ(Ask(server, Token()), answer);
  const std::string own = server.Authorization(CallerKind::kGuest, "g1");
  EXPECT_EQ(Ask(server, own.substr(std::string("Bearer ").size())), "g1");
  EXPECT_EQ(issuer_.Requests(), 1);
  EXPECT_THAT(server.server().metrics().Scrape(),
              HasSubstr("komadai_oidc_key_fetches_total{outcome=\"ok\"} 1"));
  for (const std::string& line : server.LogLines()) EXPECT_EQ(line.find(Token()), line.npos);
}

TEST_F(OidcServerTest, AnIssuerOfAnotherAuthorityIsNotBelieved) {
  TestServer server({EchoComponent()}, Options("other.pem"));
  const auto failed = [&] {
    const std::string scraped = server.server().metrics().Scrape();
    return scraped.find("komadai_oidc_key_fetches_total{outcome=\"failed\"}") != scraped.npos;
  };
  while (!failed()) EXPECT_EQ(Ask(server, Token()), "TOKEN_KEYS_UNAVAILABLE");
  EXPECT_EQ(Ask(server, Token()), "TOKEN_KEYS_UNAVAILABLE");
  EXPECT_EQ(issuer_.Requests(), 0);
}

TEST_F(OidcServerTest, ErrorsAndEndlessAnswersOfTheIssuerAreNoKeys) {
  std::atomic<bool> stop{false};
  HttpOptions options;
  options.ca_file = dir_.File("ca.pem");
  EXPECT_TRUE(HttpGet(issuer_.Url(), options, stop));
  issuer_.Answer(500, SetOf(signer_.Jwk()));
  EXPECT_TRUE(HttpGet(issuer_.Url(), options, stop).error().Is(kHttpFailed));
  issuer_.Answer(200, std::string(options.max_bytes + 1, ' '));
  EXPECT_TRUE(HttpGet(issuer_.Url(), options, stop).error().Is(kHttpFailed));
  stop = true;
  issuer_.Answer(200, "x");
  EXPECT_TRUE(HttpGet(issuer_.Url(), options, stop).error().Is(kHttpFailed));
}

}  // namespace
}  // namespace komadai::rpc
