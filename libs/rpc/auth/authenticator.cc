#include "libs/rpc/auth/authenticator.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>

#include "libs/rpc/auth/base64url.h"

namespace komadai::rpc {
namespace {

constexpr std::string_view kBearer = "Bearer ";

// The length is not secret, the content is: takes the same time wherever they differ first.
bool EqualInConstantTime(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

// The issuer claim of a token that is not verified yet. It only selects the verifier.
std::optional<std::string> UnverifiedIssuer(const std::string& token) {
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string::npos ? first : token.find('.', first + 1);
  if (second == std::string::npos) return std::nullopt;
  const auto payload =
      DecodeBase64Url(std::string_view(token).substr(first + 1, second - first - 1));
  if (!payload) return std::nullopt;
  const auto json = nlohmann::json::parse(*payload, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return std::nullopt;
  const auto issuer = json.find("iss");
  if (issuer == json.end() || !issuer->is_string()) return std::nullopt;
  return issuer->get<std::string>();
}

// What a JWT is written with. Verifiers may overlook other bytes at its end, but they must be
// refused: a token is passed on to other services in a header, where some bytes make gRPC abort.
bool IsJwtText(std::string_view token) {
  return std::all_of(token.begin(), token.end(), [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c) != 0) || c == '-' || c == '_' || c == '.';
  });
}

std::size_t HashOf(std::string_view token) { return std::hash<std::string_view>()(token); }

}  // namespace

TokenCache::TokenCache(std::size_t capacity)
    : capacity_per_shard_(std::max<std::size_t>(1, capacity / kShards)) {}

std::shared_ptr<const Caller> TokenCache::Find(std::string_view token, TimePoint now) {
  const std::size_t hash = HashOf(token);
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  const auto found = shard.entries.find(hash);
  if (found == shard.entries.end()) return nullptr;
  if (!EqualInConstantTime(found->second.token, token)) return nullptr;
  if (now >= found->second.expires) {
    shard.entries.erase(found);
    return nullptr;
  }
  return found->second.caller;
}

void TokenCache::Insert(std::string_view token, std::shared_ptr<const Caller> caller,
                        TimePoint expires) {
  const std::size_t hash = HashOf(token);
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  if (shard.entries.size() >= capacity_per_shard_ && !shard.entries.contains(hash)) {
    shard.entries.erase(shard.entries.begin());
  }
  shard.entries.insert_or_assign(hash, Entry{std::string(token), std::move(caller), expires});
}

std::size_t TokenCache::size() const {
  std::size_t size = 0;
  for (const Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    size += shard.entries.size();
  }
  return size;
}

Authenticator::Authenticator(std::vector<std::unique_ptr<TokenVerifier>> verifiers,
                             std::size_t cached_tokens)
    : verifiers_(std::move(verifiers)), cache_(cached_tokens) {}

Result<std::shared_ptr<const Caller>> Authenticator::Authenticate(
    std::optional<std::string_view> header, TimePoint now) {
  if (!header) return anonymous_;
  if (header->substr(0, kBearer.size()) != kBearer) {
    return Error(kTokenInvalid, "the authorization header must be \"Bearer TOKEN\"");
  }
  const std::string_view token = header->substr(kBearer.size());
  if (token.size() > kMaxTokenLength) return Error(kTokenInvalid, "bearer token: too long");
  if (auto known = cache_.Find(token, now)) return known;

  if (!IsJwtText(token)) return Error(kTokenInvalid, "bearer token: malformed");
  const std::string copy(token);
  const std::optional<std::string> issuer = UnverifiedIssuer(copy);
  if (!issuer) return Error(kTokenInvalid, "bearer token: malformed");
  for (const std::unique_ptr<TokenVerifier>& verifier : verifiers_) {
    if (!verifier->Claims(*issuer)) continue;
    Result<VerifiedToken> verified = verifier->Verify(copy, now);
    if (!verified) return std::move(verified).error();
    auto caller = std::make_shared<const Caller>(std::move(verified->caller));
    cache_.Insert(token, caller, verified->expires);
    return std::shared_ptr<const Caller>(std::move(caller));
  }
  return Error(kTokenInvalid, "bearer token: unknown issuer");
}

}  // namespace komadai::rpc
