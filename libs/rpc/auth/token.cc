#include "libs/rpc/auth/token.h"

#include <jwt.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <cstdlib>

namespace komadai::rpc {
namespace {

struct JwtDeleter {
  void operator()(jwt_t* jwt) const { jwt_free(jwt); }
};
using Jwt = std::unique_ptr<jwt_t, JwtDeleter>;

const unsigned char* KeyOf(const TokenSettings& settings) {
  return reinterpret_cast<const unsigned char*>(settings.secret.data());
}

// Unix seconds, as JWT counts time.
long ToSeconds(TimePoint t) {
  return static_cast<long>(std::chrono::floor<std::chrono::seconds>(t.time_since_epoch()).count());
}

std::string Claim(jwt_t* jwt, const char* name) {
  const char* value = jwt_get_grant(jwt, name);
  return value == nullptr ? "" : value;
}

Error InvalidBearer(const char* why) {
  return Error(kTokenInvalid, std::string("bearer token: ") + why);
}

}  // namespace

TokenMinter::TokenMinter(TokenSettings settings) : settings_(std::move(settings)) {
  KOMADAI_CHECK(settings_.secret.size() >= kMinSecretLength);
}

Result<std::string> TokenMinter::Mint(const Caller& caller, TimePoint now,
                                      TimePoint expires) const {
  KOMADAI_CHECK(caller.kind != CallerKind::kAnonymous && !caller.id.empty());
  jwt_t* raw = nullptr;
  if (jwt_new(&raw) != 0) return Error(kInternal, "cannot make a token");
  const Jwt jwt(raw);
  const std::string kind(KindName(caller.kind));
  int failed =
      jwt_set_alg(raw, JWT_ALG_HS256, KeyOf(settings_), static_cast<int>(settings_.secret.size()));
  failed |= jwt_add_grant(raw, "iss", settings_.issuer.c_str());
  failed |= jwt_add_grant(raw, "aud", settings_.audience.c_str());
  failed |= jwt_add_grant(raw, "sub", caller.id.c_str());
  failed |= jwt_add_grant(raw, "kind", kind.c_str());
  failed |= jwt_add_grant(raw, "name", caller.name.c_str());
  failed |= jwt_add_grant_int(raw, "iat", ToSeconds(now));
  failed |= jwt_add_grant_int(raw, "exp", ToSeconds(expires));
  // Fails for names and ids that are not UTF-8.
  if (failed != 0) return Error(kInternal, "cannot make a token with these claims");
  char* encoded = jwt_encode_str(raw);
  if (encoded == nullptr) return Error(kInternal, "cannot sign a token");
  std::string token(encoded);
  std::free(encoded);  // malloc of libjwt
  return token;
}

std::string TokenMinter::KeyFor(const std::string& purpose) const {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  HMAC(EVP_sha256(), settings_.secret.data(), static_cast<int>(settings_.secret.size()),
       reinterpret_cast<const unsigned char*>(purpose.data()), purpose.size(), digest, &size);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

HmacTokenVerifier::HmacTokenVerifier(TokenSettings settings) : settings_(std::move(settings)) {
  KOMADAI_CHECK(settings_.secret.size() >= kMinSecretLength);
}

bool HmacTokenVerifier::Claims(std::string_view issuer) const { return issuer == settings_.issuer; }

Result<VerifiedToken> HmacTokenVerifier::Verify(const std::string& token, TimePoint now) const {
  if (token.size() > kMaxTokenLength || token.find('\0') != std::string::npos) {
    return InvalidBearer("too long or malformed");
  }
  jwt_t* raw = nullptr;
  // Checks the signature in constant time; refuses unsigned tokens, since a key is given.
  if (jwt_decode(&raw, token.c_str(), KeyOf(settings_),
                 static_cast<int>(settings_.secret.size())) != 0) {
    return InvalidBearer("malformed, or its signature is wrong");
  }
  const Jwt jwt(raw);
  // The header chooses the algorithm: accept only ours.
  if (jwt_get_alg(raw) != JWT_ALG_HS256) return InvalidBearer("wrong algorithm");
  if (Claim(raw, "iss") != settings_.issuer) return InvalidBearer("wrong issuer");
  if (Claim(raw, "aud") != settings_.audience) return InvalidBearer("wrong audience");
  const std::optional<CallerKind> kind = ParseKind(Claim(raw, "kind"));
  if (!kind || *kind == CallerKind::kAnonymous) return InvalidBearer("wrong kind of caller");
  VerifiedToken verified;
  verified.caller = {*kind, Claim(raw, "sub"), Claim(raw, "name")};
  if (verified.caller.id.empty()) return InvalidBearer("no subject");
  const long expires = jwt_get_grant_int(raw, "exp");
  // The year 9999 bounds what the arithmetic on time points has to bear.
  if (expires <= 0 || expires > 253402300799L) return InvalidBearer("no expiry");
  verified.expires = FromUnixMillis(std::int64_t{expires} * 1000);
  if (now >= verified.expires) return Error(kTokenExpired, "bearer token: expired; get a new one");
  return verified;
}

}  // namespace komadai::rpc
