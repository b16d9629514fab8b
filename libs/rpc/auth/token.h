// Bearer tokens: JWTs signed with HS256 and one shared secret (libjwt).
//
// Claims: iss, aud, sub (the caller's id), kind, name, iat, exp.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/caller.h"

namespace komadai::rpc {

inline constexpr Reason kTokenInvalid{Code::kUnauthenticated, "TOKEN_INVALID"};
inline constexpr Reason kTokenExpired{Code::kUnauthenticated, "TOKEN_EXPIRED"};

inline constexpr std::size_t kMinSecretLength = 32;  // HS256 wants a key as long as its hash
inline constexpr std::size_t kMaxTokenLength = 4096;

struct TokenSettings {
  std::string secret;  // at least kMinSecretLength characters
  std::string issuer = "komadai";
  std::string audience = "komadai";
};

// Thread-safe.
class TokenMinter {
 public:
  explicit TokenMinter(TokenSettings settings);
  // A token that says `caller` until `expires`. Fails only if the library does (kInternal).
  Result<std::string> Mint(const Caller& caller, TimePoint now, TimePoint expires) const;
  // A key for another purpose, the same in all services and not to be traced back to the secret.
  std::string KeyFor(const std::string& purpose) const;

 private:
  TokenSettings settings_;
};

struct VerifiedToken {
  Caller caller;
  TimePoint expires;
};

// One way of verifying tokens. A verifier of OIDC ID tokens (RS256 and a JWKS) is another subclass;
// services never see the difference.
class TokenVerifier {
 public:
  virtual ~TokenVerifier() = default;
  // Whether tokens with this issuer claim are this verifier's. The claim is not yet trusted.
  virtual bool Claims(std::string_view issuer) const = 0;
  // kTokenInvalid, kTokenExpired. Must not block: it runs on a gRPC thread. Thread-safe.
  virtual Result<VerifiedToken> Verify(const std::string& token, TimePoint now) const = 0;
};

// Checks algorithm, signature (in constant time), issuer, audience, expiry and kind.
class HmacTokenVerifier final : public TokenVerifier {
 public:
  explicit HmacTokenVerifier(TokenSettings settings);
  bool Claims(std::string_view issuer) const override;
  Result<VerifiedToken> Verify(const std::string& token, TimePoint now) const override;

 private:
  TokenSettings settings_;
};

}  // namespace komadai::rpc
