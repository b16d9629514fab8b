// JSON Web Keys (RFC 7517): the public keys of an issuer, as its JWKS lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"

namespace komadai::rpc {

inline constexpr Reason kBadKeySet{Code::kUnavailable, "BAD_KEY_SET"};

struct Jwk {
  std::string id;         // "kid"
  std::string algorithm;  // "RS256" or "ES256": the only one this key is good for
  std::string pem;
};

// The keys of a JWKS that sign tokens by RS256 (2048 to 8192 bits) or ES256; others are left out.
// kBadKeySet if it is not a JWKS or has no such key.
Result<std::vector<Jwk>> ParseJwks(std::string_view json);

}  // namespace komadai::rpc
