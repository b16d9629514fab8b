#include "libs/rpc/auth/credentials.h"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fstream>
#include <iterator>

#include "libs/rpc/server/server.h"

namespace komadai::rpc {
namespace {

using grpc::experimental::FileWatcherCertificateProvider;
using MemoryBio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using KeyHandle = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

Result<std::string> ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || text.empty()) return Error(kBadSettings, path + " is empty or cannot be read");
  return text;
}

MemoryBio Reader(const std::string& text) {
  return {BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), &BIO_free};
}

Result<Certificate> ReadCertificate(const std::string& path) {
  Result<std::string> text = ReadFile(path);
  if (!text) return std::move(text).error();
  Certificate certificate(PEM_read_bio_X509(Reader(*text).get(), nullptr, nullptr, nullptr),
                          &X509_free);
  if (!certificate) return Error(kBadSettings, path + " holds no PEM certificate");
  return certificate;
}

// OpenSSL would ask for it at the terminal.
int NoPassphrase(char*, int, int, void*) { return 0; }

// What would otherwise only be seen as failed handshakes.
Status CheckPair(const std::string& certificate_path, const std::string& key_path) {
  Result<Certificate> certificate = ReadCertificate(certificate_path);
  if (!certificate) return std::move(certificate).error();
  Result<std::string> text = ReadFile(key_path);
  if (!text) return std::move(text).error();
  const KeyHandle key(PEM_read_bio_PrivateKey(Reader(*text).get(), nullptr, &NoPassphrase, nullptr),
                      &EVP_PKEY_free);
  if (!key) {
    return Error(kBadSettings, key_path + " holds no PEM private key without a passphrase");
  }
  if (X509_check_private_key(certificate->get(), key.get()) != 1) {
    return Error(kBadSettings, key_path + " is not the key of " + certificate_path);
  }
  return {};
}

// Files that are not named are not watched.
std::shared_ptr<FileWatcherCertificateProvider> Watch(const ServerSettings& settings,
                                                      const std::string& trusted) {
  const auto interval = std::chrono::duration_cast<std::chrono::seconds>(settings.tls_reload);
  return std::make_shared<FileWatcherCertificateProvider>(
      settings.tls_key, settings.tls_certificate, trusted, static_cast<unsigned>(interval.count()));
}

}  // namespace

Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const ServerSettings& settings) {
  if (settings.tls_certificate.empty()) return grpc::InsecureServerCredentials();
  if (Status pair = CheckPair(settings.tls_certificate, settings.tls_key); !pair) {
    return std::move(pair).error();
  }
  grpc::experimental::TlsServerCredentialsOptions options(Watch(settings, settings.tls_client_ca));
  options.watch_identity_key_cert_pairs();
  if (!settings.tls_client_ca.empty()) {
    Result<Certificate> authority = ReadCertificate(settings.tls_client_ca);
    if (!authority) return std::move(authority).error();
    options.watch_root_certs();
    options.set_cert_request_type(GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  }
  return grpc::experimental::TlsServerCredentials(options);
}

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const ServerSettings& settings) {
  if (settings.tls_ca.empty()) return grpc::InsecureChannelCredentials();
  Result<Certificate> authority = ReadCertificate(settings.tls_ca);
  if (!authority) return std::move(authority).error();
  grpc::experimental::TlsChannelCredentialsOptions options;
  options.set_certificate_provider(Watch(settings, settings.tls_ca));
  options.watch_root_certs();
  // With mTLS a service shows the certificate it serves with.
  if (!settings.tls_certificate.empty()) {
    if (Status pair = CheckPair(settings.tls_certificate, settings.tls_key); !pair) {
      return std::move(pair).error();
    }
    options.watch_identity_key_cert_pairs();
  }
  return grpc::experimental::TlsCredentials(options);
}

}  // namespace komadai::rpc
