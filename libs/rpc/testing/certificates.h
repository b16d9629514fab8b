// Keys, certificates and signed tokens made inside a test (OpenSSL, libjwt). Tests only.
#pragma once

#include <openssl/evp.h>
#include <openssl/x509.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

namespace komadai::rpc {

struct PemPair {
  std::string certificate;
  std::string key;
};

// A certificate authority of one test.
class TestAuthority {
 public:
  explicit TestAuthority(const std::string& name);
  ~TestAuthority();
  std::string Pem() const;
  // A certificate for 127.0.0.1 and localhost, as a server or a client shows it.
  PemPair Issue(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A key that signs tokens: "RS256" or "ES256".
class TestSigner {
 public:
  TestSigner(std::string key_id, const std::string& algorithm, int rsa_bits = 2048);
  ~TestSigner();
  // The public key as a JWK.
  nlohmann::json Jwk() const;
  std::string PublicPem() const;
  // A token with these claims, signed with this key and naming it.
  std::string Sign(const nlohmann::json& claims) const;
  // The same under any header.
  std::string SignAs(const nlohmann::json& header, const nlohmann::json& claims) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Any header and claims with the signature bytes given.
std::string Assemble(const nlohmann::json& header, const nlohmann::json& claims,
                     const std::string& signature);
// HMAC-SHA256 of header and claims with any secret, as an attacker would.
std::string HmacSigned(const nlohmann::json& header, const nlohmann::json& claims,
                       const std::string& secret);

}  // namespace komadai::rpc
