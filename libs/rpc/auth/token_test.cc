#include "libs/rpc/auth/token.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <jwt.h>

#include "libs/rpc/auth/authenticator.h"

namespace komadai::rpc {
namespace {

using std::chrono::hours;
using ::testing::HasSubstr;
using ::testing::Not;

const TokenSettings kSettings{.secret = "0123456789abcdef0123456789abcdef"};
const TimePoint kNow = FromUnixMillis(1700000000000);

std::string Mint(const Caller& caller, TimePoint expires = kNow + hours(1),
                 const TokenSettings& settings = kSettings) {
  return TokenMinter(settings).Mint(caller, kNow, expires).value();
}

Result<VerifiedToken> Verify(const std::string& token, TimePoint now = kNow) {
  return HmacTokenVerifier(kSettings).Verify(token, now);
}

// A token with any header and claims, signed with `key` by `alg`.
std::string Forge(const std::string& claims, jwt_alg_t alg = JWT_ALG_HS256,
                  const std::string& key = kSettings.secret) {
  jwt_t* jwt = nullptr;
  EXPECT_EQ(jwt_new(&jwt), 0);
  const bool none = alg == JWT_ALG_NONE;
  EXPECT_EQ(
      jwt_set_alg(jwt, alg, none ? nullptr : reinterpret_cast<const unsigned char*>(key.data()),
                  none ? 0 : static_cast<int>(key.size())),
      0);
  EXPECT_EQ(jwt_add_grants_json(jwt, claims.c_str()), 0);
  char* encoded = jwt_encode_str(jwt);
  std::string token(encoded);
  std::free(encoded);
  jwt_free(jwt);
  return token;
}

constexpr char kGoodClaims[] =
    R"({"iss":"komadai","aud":"komadai","sub":"p1","kind":"guest","name":"","exp":1700003600})";

TEST(TokenTest, WhatIsMintedIsVerified) {
  const Result<VerifiedToken> verified = Verify(Mint({CallerKind::kGuest, "p1", "駒 \"quoted\""}));
  ASSERT_TRUE(verified);
  EXPECT_EQ(verified->caller.kind, CallerKind::kGuest);
  EXPECT_EQ(verified->caller.id, "p1");
  EXPECT_EQ(verified->caller.name, "駒 \"quoted\"");
  EXPECT_EQ(verified->expires, kNow + hours(1));
  EXPECT_TRUE(Verify(Forge(kGoodClaims)));
}

TEST(TokenTest, ATokenExpiresToTheSecond) {
  const std::string token = Mint({CallerKind::kPlayer, "p1", ""});
  EXPECT_TRUE(Verify(token, kNow + hours(1) - Millis(1)));
  const Result<VerifiedToken> expired = Verify(token, kNow + hours(1));
  ASSERT_FALSE(expired);
  EXPECT_TRUE(expired.error().Is(kTokenExpired));
}

TEST(TokenTest, ForgedTokensAreInvalid) {
  const std::string good = Mint({CallerKind::kAdmin, "p1", ""});
  TokenSettings other = kSettings;
  other.secret = "another secret of at least 32 characters";
  const std::string claims = kGoodClaims;
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = claims;
    changed.replace(changed.find(from), from.size(), to);
    return Forge(changed);
  };
  std::string flipped = good;
  flipped.back() = flipped.back() == 'A' ? 'B' : 'A';
  flipped[flipped.size() - 5] = flipped[flipped.size() - 5] == 'A' ? 'B' : 'A';
  const std::vector<std::pair<std::string, std::string>> cases{
      {"empty", ""},
      {"no dots", "abc"},
      {"only dots", ".."},
      {"cut signature", good.substr(0, good.size() - 4)},
      {"no signature", good.substr(0, good.rfind('.') + 1)},
      {"flipped", flipped},
      {"other secret", Mint({CallerKind::kAdmin, "p1", ""}, kNow + hours(1), other)},
      {"alg none", Forge(claims, JWT_ALG_NONE)},
      {"alg HS512 with our key", Forge(claims, JWT_ALG_HS512)},
      {"other issuer", with("\"iss\":\"komadai\"", "\"iss\":\"elsewhere\"")},
      {"other audience", with("\"aud\":\"komadai\"", "\"aud\":\"elsewhere\"")},
      {"audience list", with("\"aud\":\"komadai\"", "\"aud\":[\"komadai\"]")},
      {"unknown kind", with("guest", "root")},
      {"anonymous kind", with("guest", "anonymous")},
      {"no subject", with("\"sub\":\"p1\",", "")},
      {"no expiry", with(",\"exp\":1700003600", "")},
      {"text expiry", with("1700003600", "\"1700003600\"")},
      {"huge expiry", with("1700003600", "9223372036854775807")},
      {"too long", std::string(kMaxTokenLength + 1, 'x')},
      {"embedded nul", good + std::string(1, '\0') + "x"},
  };
  for (const auto& [name, token] : cases) {
    const Result<VerifiedToken> verified = Verify(token);
    ASSERT_FALSE(verified) << name;
    EXPECT_TRUE(verified.error().Is(kTokenInvalid)) << name;
    EXPECT_THAT(verified.error().message(), Not(HasSubstr(kSettings.secret))) << name;
  }
}

class AuthenticatorTest : public ::testing::Test {
 protected:
  static std::vector<std::unique_ptr<TokenVerifier>> Verifiers() {
    std::vector<std::unique_ptr<TokenVerifier>> verifiers;
    verifiers.push_back(std::make_unique<HmacTokenVerifier>(kSettings));
    return verifiers;
  }
  Authenticator authenticator_{Verifiers(), 32};
};

TEST_F(AuthenticatorTest, NoHeaderIsAnonymous) {
  EXPECT_EQ(authenticator_.Authenticate(std::nullopt, kNow).value()->kind, CallerKind::kAnonymous);
}

TEST_F(AuthenticatorTest, ARememberedTokenStillExpires) {
  const std::string header = "Bearer " + Mint({CallerKind::kGuest, "p1", ""});
  const auto first = authenticator_.Authenticate(header, kNow);
  const auto second = authenticator_.Authenticate(header, kNow);
  EXPECT_EQ(first.value(), second.value());  // the very same object: no second verification
  const auto late = authenticator_.Authenticate(header, kNow + hours(1));
  ASSERT_FALSE(late);
  EXPECT_TRUE(late.error().Is(kTokenExpired));
}

TEST_F(AuthenticatorTest, OtherSchemesAndGarbageAreInvalid) {
  const std::string token = Mint({CallerKind::kGuest, "p1", ""});
  const std::vector<std::string> headers{token,
                                         "bearer " + token,
                                         "Basic abc",
                                         "Bearer ",
                                         "Bearer a.b.c",
                                         "Bearer a.!.c",
                                         "Bearer " + token + "\x80",
                                         "Bearer " + token + "=",
                                         "Bearer " + token + " ",
                                         "Bearer " + std::string(100000, 'x')};
  for (const std::string& header : headers) {
    const auto result = authenticator_.Authenticate(header, kNow);
    ASSERT_FALSE(result) << header.substr(0, 40);
    EXPECT_TRUE(result.error().Is(kTokenInvalid));
  }
}

TEST(TokenCacheTest, IsBounded) {
  TokenCache cache(64);
  for (int i = 0; i < 10000; ++i) {
    cache.Insert("token" + std::to_string(i), std::make_shared<const Caller>(), kNow + hours(1));
  }
  EXPECT_LE(cache.size(), 64u);
  EXPECT_NE(cache.Find("token9999", kNow), nullptr);
  EXPECT_EQ(cache.Find("token9999", kNow + hours(2)), nullptr);
  EXPECT_EQ(cache.Find("unknown", kNow), nullptr);
}

TEST(CallerSetTest, ContainsExactlyItsKinds) {
  EXPECT_TRUE(kPersons.Contains(CallerKind::kGuest));
  EXPECT_FALSE(kPersons.Contains(CallerKind::kService));
  EXPECT_FALSE(kVerified.Contains(CallerKind::kGuest));
  EXPECT_FALSE(kAuthenticated.Contains(CallerKind::kAnonymous));
  EXPECT_TRUE(kAnyone.Contains(CallerKind::kAnonymous));
  EXPECT_TRUE(kServices.Contains(CallerKind::kAdmin));
}

}  // namespace
}  // namespace komadai::rpc
