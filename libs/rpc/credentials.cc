#include "libs/rpc/credentials.h"

#include <fstream>
#include <iterator>

#include "libs/rpc/server.h"

namespace komadai::rpc {
namespace {

// "" for no file.
Result<std::string> ReadPem(const std::string& path) {
  if (path.empty()) return std::string();
  std::ifstream file(path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file || text.empty()) return Error(kBadSettings, path + " is empty or cannot be read");
  return text;
}

}  // namespace

Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(
    const ServerSettings& settings) {
  if (settings.tls_certificate.empty()) return grpc::InsecureServerCredentials();
  Result<std::string> certificate = ReadPem(settings.tls_certificate);
  if (!certificate) return std::move(certificate).error();
  Result<std::string> key = ReadPem(settings.tls_key);
  if (!key) return std::move(key).error();
  Result<std::string> client_ca = ReadPem(settings.tls_client_ca);
  if (!client_ca) return std::move(client_ca).error();
  grpc::SslServerCredentialsOptions options(
      client_ca->empty() ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                         : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  options.pem_root_certs = *client_ca;
  options.pem_key_cert_pairs.push_back({*key, *certificate});
  return grpc::SslServerCredentials(options);
}

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeChannelCredentials(
    const ServerSettings& settings) {
  if (settings.tls_ca.empty()) return grpc::InsecureChannelCredentials();
  Result<std::string> ca = ReadPem(settings.tls_ca);
  if (!ca) return std::move(ca).error();
  // With mTLS a service shows the certificate it serves with.
  Result<std::string> certificate = ReadPem(settings.tls_certificate);
  if (!certificate) return std::move(certificate).error();
  Result<std::string> key = ReadPem(settings.tls_key);
  if (!key) return std::move(key).error();
  grpc::SslCredentialsOptions options;
  options.pem_root_certs = *ca;
  options.pem_cert_chain = *certificate;
  options.pem_private_key = *key;
  return grpc::SslCredentials(options);
}

}  // namespace komadai::rpc
