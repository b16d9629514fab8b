// ID tokens against an issuer that the test plays itself.
#include "libs/rpc/auth/oidc.h"

#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/auth/http_get.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/certificates.h"

namespace komadai::rpc {
namespace {

using nlohmann::json;

constexpr std::int64_t kNowSeconds = 1'700'000'000;
const TimePoint kNow = FromUnixMillis(kNowSeconds * 1000);
constexpr char kIssuer[] = "https://issuer.test";

class HandTime final : public TimeSource {
 public:
  TimePoint Now() const override { return FromUnixMillis(now_.load()); }
  void Set(TimePoint now) { now_ = ToUnixMillis(now); }

 private:
  std::atomic<std::int64_t> now_{ToUnixMillis(kNow)};
};

json Claims() {
  const std::int64_t seconds = kNowSeconds;
  return {{"iss", kIssuer}, {"aud", "client-1"}, {"sub", "sub-1"},
          {"name", "Taro"}, {"iat", seconds},    {"exp", seconds + 3600}};
}

std::string SetOf(const std::vector<json>& keys) { return json{{"keys", keys}}.dump(); }

// What an issuer without a network answers.
class Listing {
 public:
  void Answer(Result<std::string> answer) {
    const MutexLock lock(mutex_);
    answer_ = std::move(answer);
  }
  Result<std::string> Fetch() {
    const MutexLock lock(mutex_);
    ++fetches_;
    return answer_;
  }
  int fetches() const { return fetches_.load(); }

 private:
  Mutex mutex_;
  Result<std::string> answer_ KOMADAI_GUARDED_BY(mutex_) = Error(kHttpFailed, "nothing yet");
  std::atomic<int> fetches_{0};
};

class OidcTest : public ::testing::Test {
 protected:
  OidcTest() {
    settings_.audiences = "client-1, client-2";
    settings_.issuer = kIssuer;
    settings_.bots = "sub-bot";
    settings_.admins = "sub-admin,sub-root";
  }
  void Start(std::vector<json> keys) {
    listing_.Answer(SetOf(keys));
    SigningKeysOptions options;
    options.fetch = [this](const std::atomic<bool>&) { return listing_.Fetch(); };
    verifier_ = std::make_unique<OidcTokenVerifier>(
        settings_, std::make_unique<SigningKeys>(std::move(options), time_,
                                                 telemetry::Logger::Null(), metrics_));
  }
  // Verifies again and again while the keys are on their way.
  Result<VerifiedToken> Verify(const std::string& token) {
    for (;;) {
      Result<VerifiedToken> verified = verifier_->Verify(token, time_.Now());
      if (verified || !verified.error().Is(kTokenKeysUnavailable)) return verified;
      std::this_thread::yield();
    }
  }
  std::string ReasonOf(const std::string& token) {
    const Result<VerifiedToken> verified = Verify(token);
    return verified ? "OK" : verified.error().reason();
  }

  HandTime time_;
  telemetry::Metrics metrics_;
  OidcSettings settings_;
  Listing listing_;
  TestSigner rsa_{"r1", "RS256"};
  TestSigner ec_{"e1", "ES256"};
  std::unique_ptr<OidcTokenVerifier> verifier_;
};

TEST_F(OidcTest, AGoodTokenIsAVerifiedPlayer) {
  Start({rsa_.Jwk(), ec_.Jwk()});
  for (const TestSigner* signer : {&rsa_, &ec_}) {
    const Result<VerifiedToken> verified = Verify(signer->Sign(Claims()));
    ASSERT_TRUE(verified) << verified.error().ToString();
    EXPECT_EQ(verified->caller.kind, CallerKind::kPlayer);
    EXPECT_EQ(verified->caller.id, PlayerIdOf(kIssuer, "sub-1"));
    EXPECT_EQ(verified->caller.name, "Taro");
    EXPECT_LE(verified->expires, kNow + std::chrono::minutes(5));  // then it is looked at again
  }
}

TEST_F(OidcTest, APlayersIdIsThatOfTheAccountAndTellsNothingElse) {
  const std::string id = PlayerIdOf(kIssuer, "sub-1");
  EXPECT_EQ(id.size(), 25u);
  EXPECT_EQ(id.front(), 'o');
  EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz234567"), std::string::npos);
  EXPECT_EQ(id, PlayerIdOf(kIssuer, "sub-1"));
  EXPECT_NE(id, PlayerIdOf(kIssuer, "sub-2"));
  EXPECT_NE(id, PlayerIdOf("https://other.test", "sub-1"));
}

TEST_F(OidcTest, RolesAreThoseTheOperatorNames) {
  Start({rsa_.Jwk()});
  const std::pair<const char*, CallerKind> cases[] = {{"sub-bot", CallerKind::kBot},
                                                      {"sub-admin", CallerKind::kAdmin},
                                                      {"sub-root", CallerKind::kAdmin},
                                                      {"sub-", CallerKind::kPlayer}};
  for (const auto& [subject, kind] : cases) {
    json claims = Claims();
    claims["sub"] = subject;
    claims["kind"] = "admin";  // means nothing in a token of theirs
    EXPECT_EQ(Verify(rsa_.Sign(claims))->caller.kind, kind) << subject;
  }
}

TEST_F(OidcTest, ForgedTokensAreRefused) {
  Start({rsa_.Jwk(), ec_.Jwk()});
  const json header{{"alg", "RS256"}, {"kid", "r1"}};
  const auto with = [&](const char* name, const json& value) {
    json changed = header;
    changed[name] = value;
    return changed;
  };
  const TestSigner stranger("r1", "RS256");
  std::string flipped = rsa_.Sign(Claims());
  flipped[flipped.size() - 20] = flipped[flipped.size() - 20] == 'A' ? 'B' : 'A';
  json unsigned_header = header;
  unsigned_header["alg"] = "none";
  const std::pair<const char*, std::string> cases[] = {
      {"none", Assemble(unsigned_header, Claims(), "")},
      {"none with a signature", Assemble(unsigned_header, Claims(), "signature")},
      {"None", Assemble(with("alg", "None"), Claims(), "")},
      {"HMAC with the public key", HmacSigned(with("alg", "HS256"), Claims(), rsa_.PublicPem())},
      {"HMAC called RSA", HmacSigned(header, Claims(), rsa_.PublicPem())},
      {"ES256 under an RSA key", ec_.SignAs(with("alg", "ES256"), Claims())},
      {"RS256 under an EC key", rsa_.SignAs(with("kid", "e1"), Claims())},
      {"another key of the same name", stranger.Sign(Claims())},
      {"no key id", rsa_.SignAs({{"alg", "RS256"}}, Claims())},
      {"a key id that is no text", rsa_.SignAs(with("kid", 1), Claims())},
      {"an extension", rsa_.SignAs(with("crit", json::array({"b64"})), Claims())},
      {"flipped", flipped},
      {"no signature", Assemble(header, Claims(), "")},
      {"four parts", rsa_.Sign(Claims()) + ".x"},
      {"two parts", "a.b"},
      {"nothing", ""},
      {"a NUL", rsa_.Sign(Claims()) + std::string(1, '\0')},
      {"too long", std::string(5000, 'a')}};
  for (const auto& [name, token] : cases) EXPECT_EQ(ReasonOf(token), "TOKEN_INVALID") << name;
}

TEST_F(OidcTest, ClaimsAreCheckedWithinTheClockSkew) {
  Start({rsa_.Jwk()});
  const auto reason = [&](const char* name, const json& value) {
    json claims = Claims();
    if (value.is_null()) {
      claims.erase(name);
    } else {
      claims[name] = value;
    }
    return ReasonOf(rsa_.Sign(claims));
  };
  EXPECT_EQ(reason("aud", "client-2"), "OK");
  EXPECT_EQ(reason("aud", json::array({"client-1"})), "OK");
  EXPECT_EQ(reason("iat", kNowSeconds + 30), "OK");
  EXPECT_EQ(reason("nbf", kNowSeconds + 30), "OK");
  EXPECT_EQ(reason("exp", kNowSeconds - 29), "OK");
  EXPECT_EQ(reason("exp", kNowSeconds - 30), "TOKEN_EXPIRED");
  const std::pair<const char*, json> bad[] = {{"iss", "https://other.test"},
                                              {"iss", nullptr},
                                              {"aud", "client-3"},
                                              {"aud", nullptr},
                                              {"aud", "client-1, client-2"},
                                              {"aud", json::array({"client-1", "client-3"})},
                                              {"aud", json::array()},
                                              {"aud", 1},
                                              {"sub", ""},
                                              {"sub", nullptr},
                                              {"sub", 7},
                                              {"sub", std::string(256, 's')},
                                              {"exp", nullptr},
                                              {"exp", "soon"},
                                              {"exp", 1e300},
                                              {"exp", -1},
                                              {"iat", nullptr},
                                              {"iat", kNowSeconds + 31},
                                              {"nbf", kNowSeconds + 31},
                                              {"nbf", "later"}};
  for (const auto& [name, value] : bad) {
    EXPECT_EQ(reason(name, value), "TOKEN_INVALID") << name << " " << value;
  }
  json several = Claims();
  several["aud"] = {"client-1", "client-3"};
  several["azp"] = "client-1";
  EXPECT_EQ(ReasonOf(rsa_.Sign(several)), "OK");
  several["azp"] = "client-3";
  EXPECT_EQ(ReasonOf(rsa_.Sign(several)), "TOKEN_INVALID");
}

TEST_F(OidcTest, NamesAreCleaned) {
  Start({rsa_.Jwk()});
  json claims = Claims();
  claims["name"] = "  Ta\u202Ero ";
  EXPECT_EQ(Verify(rsa_.Sign(claims))->caller.name, "Taro");
  claims.erase("name");
  EXPECT_EQ(Verify(rsa_.Sign(claims))->caller.name, "Player");
}

TEST_F(OidcTest, ARotatedKeyIsFetchedOnceAndMadeUpKeysAreNot) {
  Start({rsa_.Jwk()});
  EXPECT_EQ(ReasonOf(rsa_.Sign(Claims())), "OK");
  EXPECT_EQ(listing_.fetches(), 1);
  const TestSigner rotated("r2", "RS256");
  const std::string token = rotated.Sign(Claims());
  listing_.Answer(SetOf({rotated.Jwk()}));
  // Too soon after the last fetch for another one.
  EXPECT_EQ(ReasonOf(token), "TOKEN_INVALID");
  time_.Set(kNow + std::chrono::seconds(10));
  const Result<VerifiedToken> asked = verifier_->Verify(token, time_.Now());
  ASSERT_FALSE(asked);
  EXPECT_TRUE(asked.error().Is(kTokenKeysUnavailable));
  EXPECT_GT(std::stoi(asked.error().metadata().at(kRetryAfterMs)), 0);
  EXPECT_EQ(ReasonOf(token), "OK");
  EXPECT_EQ(listing_.fetches(), 2);
  EXPECT_EQ(ReasonOf(rsa_.Sign(Claims())), "TOKEN_INVALID");  // withdrawn
  for (int i = 0; i < 100; ++i) {
    const TestSigner& signer = i % 2 ? rotated : rsa_;
    const json header{{"alg", "RS256"}, {"kid", "made-up-" + std::to_string(i)}};
    EXPECT_EQ(ReasonOf(signer.SignAs(header, Claims())), "TOKEN_INVALID");
  }
  EXPECT_EQ(listing_.fetches(), 2);
}

TEST_F(OidcTest, AFailedFetchKeepsTheKeysThereAre) {
  Start({rsa_.Jwk()});
  EXPECT_EQ(ReasonOf(rsa_.Sign(Claims())), "OK");
  listing_.Answer(Error(kHttpFailed, "away"));
  time_.Set(kNow + std::chrono::seconds(20));
  const TestSigner rotated("r2", "RS256");
  // While the issuer is away it is unknown whether the new key is one of its own.
  const std::string token = rotated.Sign(Claims());
  while (listing_.fetches() < 2) {
    EXPECT_TRUE(verifier_->Verify(token, time_.Now()).error().Is(kTokenKeysUnavailable));
  }
  EXPECT_EQ(ReasonOf(rsa_.Sign(Claims())), "OK");
  for (const char* useless : {"", "{\"keys\": []}"}) {
    listing_.Answer(std::string(useless));
    time_.Set(time_.Now() + std::chrono::seconds(20));
    const int before = listing_.fetches();
    while (listing_.fetches() == before) (void)verifier_->Verify(token, time_.Now());
    EXPECT_EQ(ReasonOf(rsa_.Sign(Claims())), "OK");
  }
}

TEST_F(OidcTest, WithoutKeysNothingIsSaidAboutATokenYet) {
  SigningKeysOptions options;
  std::atomic<bool> asked{false};
  options.fetch = [&](const std::atomic<bool>& stop) -> Result<std::string> {
    asked = true;
    while (!stop) std::this_thread::yield();  // an issuer that never answers
    return Error(kHttpFailed, "stopped");
  };
  OidcTokenVerifier verifier(
      settings_, std::make_unique<SigningKeys>(std::move(options), time_, telemetry::Logger::Null(),
                                               metrics_));
  while (!asked) std::this_thread::yield();
  EXPECT_TRUE(verifier.Verify(rsa_.Sign(Claims()), kNow).error().Is(kTokenKeysUnavailable));
}

}  // namespace
}  // namespace komadai::rpc
