// TLS and mTLS by settings, with certificates made here.
#include <grpcpp/create_channel.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/auth/credentials.h"
#include "libs/rpc/echo/echo.h"
#include "libs/rpc/testing/certificates.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/testing/temp_dir.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using Channel = std::shared_ptr<grpc::ChannelCredentials>;

class TlsTest : public ::testing::Test {
 protected:
  // Files by name, as an operator has them.
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_.File(name)) << text;
    return dir_.File(name);
  }
  void Start(bool mutual) {
    const PemPair pem = authority_.Issue("server");
    TestServerOptions options;
    options.listen = true;
    options.settings.tls_certificate = Write("server.pem", pem.certificate);
    options.settings.tls_key = Write("server.key", pem.key);
    options.settings.tls_reload = Millis(1000);
    if (mutual) options.settings.tls_client_ca = Write("ca.pem", authority_.Pem());
    server_ = std::make_unique<TestServer>(std::vector<ComponentSpec>{EchoComponent()}, options);
  }
  // What a client that trusts `authority` and shows `own`, if any, comes to.
  bool Reaches(const Channel& credentials) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto channel =
        grpc::CreateCustomChannel(server_->server().address(), credentials, arguments);
    const std::unique_ptr<grpc::ClientContext> context = server_->AnonymousContext();
    pb::EchoRequest request;
    request.set_payload("x");
    pb::EchoResponse response;
    const grpc::Status status =
        pb::EchoService::NewStub(channel)->Echo(context.get(), request, &response);
    if (status.ok()) EXPECT_EQ(response.payload(), "x");
    if (!status.ok()) EXPECT_EQ(status.error_code(), grpc::StatusCode::UNAVAILABLE);
    return status.ok();
  }
  bool SoonReaches(const Channel& credentials) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < give_up) {
      if (Reaches(credentials)) return true;  // each look is a handshake
    }
    return false;
  }
  static Channel Ssl(const TestAuthority& trusted, const PemPair& own = {}) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = trusted.Pem();
    options.pem_cert_chain = own.certificate;
    options.pem_private_key = own.key;
    return grpc::SslCredentials(options);
  }

  komadai::testing::TempDir dir_;
  const TestAuthority authority_{"ours"};
  const TestAuthority stranger_{"somebody else's"};
  std::unique_ptr<TestServer> server_;
};

TEST_F(TlsTest, AClientThatTrustsTheAuthorityIsServed) {
  Start(/*mutual=*/false);
  EXPECT_TRUE(Reaches(Ssl(authority_)));
}

TEST_F(TlsTest, AClientThatTrustsAnotherAuthorityOrSpeaksPlainTextIsNot) {
  Start(/*mutual=*/false);
  EXPECT_FALSE(Reaches(Ssl(stranger_)));
  EXPECT_FALSE(Reaches(grpc::InsecureChannelCredentials()));
}

TEST_F(TlsTest, WithMutualTlsOnlyCertificatesOfTheAuthorityAreServed) {
  Start(/*mutual=*/true);
  EXPECT_TRUE(Reaches(Ssl(authority_, authority_.Issue("client"))));
  EXPECT_FALSE(Reaches(Ssl(authority_)));  // none
  EXPECT_FALSE(Reaches(Ssl(authority_, stranger_.Issue("client"))));
  // Signed by ours in name only.
  EXPECT_FALSE(Reaches(Ssl(authority_, TestAuthority("ours").Issue("client"))));
}

TEST_F(TlsTest, ServicesReachEachOtherWithTheirOwnCertificates) {
  Start(/*mutual=*/true);
  const PemPair pem = authority_.Issue("komadai-game");
  ServerSettings peer;
  peer.tls_certificate = Write("game.pem", pem.certificate);
  peer.tls_key = Write("game.key", pem.key);
  peer.tls_ca = Write("peer-ca.pem", authority_.Pem());
  EXPECT_TRUE(Reaches(*MakeChannelCredentials(peer)));
  peer.tls_ca = Write("other-ca.pem", stranger_.Pem());
  EXPECT_FALSE(Reaches(*MakeChannelCredentials(peer)));
}

TEST_F(TlsTest, ARenewedCertificateNeedsNoRestart) {
  Start(/*mutual=*/false);
  ASSERT_TRUE(Reaches(Ssl(authority_)));
  const PemPair renewed = stranger_.Issue("server");
  Write("server.pem", renewed.certificate);
  Write("server.key", renewed.key);
  EXPECT_TRUE(SoonReaches(Ssl(stranger_)));
  EXPECT_FALSE(Reaches(Ssl(authority_)));
}

TEST_F(TlsTest, AClientSeesARenewedAuthority) {
  Start(/*mutual=*/false);
  ServerSettings peer;
  peer.tls_ca = Write("peer-ca.pem", stranger_.Pem());
  peer.tls_reload = Millis(1000);
  const Channel credentials = *MakeChannelCredentials(peer);
  ASSERT_FALSE(Reaches(credentials));
  Write("peer-ca.pem", authority_.Pem());
  EXPECT_TRUE(SoonReaches(credentials));
}

TEST_F(TlsTest, AFileThatIsMissingOrNoKeyIsABadSetting) {
  ServerSettings settings;
  settings.tls_certificate = dir_.File("nothing.pem");
  settings.tls_key = dir_.File("nothing.key");
  EXPECT_TRUE(MakeServerCredentials(settings).error().Is(kBadSettings));
  settings.tls_certificate = Write("empty.pem", "");
  EXPECT_TRUE(MakeServerCredentials(settings).error().Is(kBadSettings));
  settings.tls_certificate = Write("server.pem", authority_.Issue("server").certificate);
  settings.tls_key = Write("other.key", authority_.Issue("other").key);
  EXPECT_TRUE(MakeServerCredentials(settings).error().Is(kBadSettings));
}

}  // namespace
}  // namespace komadai::rpc
