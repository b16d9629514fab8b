// Authenticator: an `authorization` header in, a Caller out.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/auth/token.h"

namespace komadai::rpc {

// Remembers verified tokens until they expire, so that a player's next move costs no signature.
// Bounded; a full shard forgets what it finds first. Thread-safe.
class TokenCache {
 public:
  explicit TokenCache(std::size_t capacity);
  // Null if unknown. Compares in constant time.
  std::shared_ptr<const Caller> Find(std::string_view token, TimePoint now);
  void Insert(std::string_view token, std::shared_ptr<const Caller> caller, TimePoint expires);
  std::size_t size() const;

 private:
  struct Entry {
    std::string token;
    std::shared_ptr<const Caller> caller;
    TimePoint expires;
  };
  struct Shard {
    mutable Mutex mutex;
    std::unordered_map<std::size_t, Entry> entries
        KOMADAI_GUARDED_BY(mutex);  // by hash; a second token of equal hash replaces
  };
  static constexpr std::size_t kShards = 16;
  Shard& ShardOf(std::size_t hash) { return shards_[hash % kShards]; }

  std::size_t capacity_per_shard_;
  std::array<Shard, kShards> shards_;
};

class Authenticator {
 public:
  explicit Authenticator(std::vector<std::unique_ptr<TokenVerifier>> verifiers,
                         std::size_t cached_tokens = 16384);

  // No header: the anonymous caller. Otherwise "Bearer TOKEN" must be valid: kTokenInvalid,
  // kTokenExpired. Never null. Thread-safe, does not block.
  Result<std::shared_ptr<const Caller>> Authenticate(std::optional<std::string_view> header,
                                                     TimePoint now);

 private:
  std::vector<std::unique_ptr<TokenVerifier>> verifiers_;
  TokenCache cache_;
  std::shared_ptr<const Caller> anonymous_ = std::make_shared<const Caller>();
};

}  // namespace komadai::rpc
