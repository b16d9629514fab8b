#include "libs/rpc/auth/jwk.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "libs/rpc/testing/certificates.h"

namespace komadai::rpc {
namespace {

using nlohmann::json;

std::string SetOf(const std::vector<json>& keys) { return json{{"keys", keys}}.dump(); }

// The ids of the keys that are taken, or the reason of the refusal.
std::vector<std::string> Taken(const std::string& text) {
  const Result<std::vector<Jwk>> keys = ParseJwks(text);
  if (!keys) return {keys.error().reason()};
  std::vector<std::string> ids;
  for (const Jwk& key : *keys) ids.push_back(key.id);
  return ids;
}

TEST(JwkTest, RsaAndEcKeysBecomeTheirPem) {
  const TestSigner rsa("r1", "RS256");
  const TestSigner ec("e1", "ES256");
  const Result<std::vector<Jwk>> keys = ParseJwks(SetOf({rsa.Jwk(), ec.Jwk()}));
  ASSERT_TRUE(keys) << keys.error().ToString();
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ((*keys)[0].algorithm, "RS256");
  EXPECT_EQ((*keys)[0].pem, rsa.PublicPem());
  EXPECT_EQ((*keys)[1].algorithm, "ES256");
  EXPECT_EQ((*keys)[1].pem, ec.PublicPem());
}

TEST(JwkTest, KeysThatAreNotForSigningTokensAreLeftOut) {
  const json good = TestSigner("good", "RS256").Jwk();
  std::vector<json> others(9, good);
  others[0]["use"] = "enc";
  others[1]["alg"] = "RS512";
  others[2]["kty"] = "oct";
  others[3].erase("kid");
  others[4]["n"] = "AQAB";
  others[5]["e"] = "AQ";  // 1
  others[6]["n"] = "not base64!";
  others[7]["kid"] = std::string(300, 'x');
  others[8] = "no object";
  others.push_back(good);
  EXPECT_EQ(Taken(SetOf(others)), std::vector<std::string>{"good"});
}

TEST(JwkTest, WeakAndBrokenKeysAreRefused) {
  EXPECT_EQ(Taken(SetOf({TestSigner("small", "RS256", 1024).Jwk()})),
            std::vector<std::string>{"BAD_KEY_SET"});
  json off_curve = TestSigner("e", "ES256").Jwk();
  off_curve["x"] = off_curve["y"];
  EXPECT_EQ(Taken(SetOf({off_curve})), std::vector<std::string>{"BAD_KEY_SET"});
  json other_curve = TestSigner("e", "ES256").Jwk();
  other_curve["crv"] = "P-384";
  EXPECT_EQ(Taken(SetOf({other_curve})), std::vector<std::string>{"BAD_KEY_SET"});
}

TEST(JwkTest, WhatIsNoKeySetIsRefused) {
  for (const char* text : {"", "[]", "{}", "{\"keys\": 1}", "{\"keys\": []}", "<html>", "{"}) {
    EXPECT_EQ(Taken(text), std::vector<std::string>{"BAD_KEY_SET"}) << text;
  }
}

}  // namespace
}  // namespace komadai::rpc
