// TokenBuckets: how often each of many keys may do something, e.g. each network address may call.
//
// A bucket per key: `burst` at once and `per_second` in the long run. Remembers a bounded number of
// keys: full buckets are forgotten first, which changes nothing, and beyond that all of a shard's,
// since a generous moment is better than memory that an attacker fills with names. Thread-safe; one
// short lock of a sixteenth of the keys.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libs/base/mutex.h"
#include "libs/base/time.h"

namespace komadai {

class TokenBuckets {
 public:
  // Neither positive: no limit. `keys` is how many are remembered, about 100 bytes each.
  TokenBuckets(double per_second, double burst, std::size_t keys = 65536)
      : per_milli_(per_second / 1000.0), burst_(burst), keys_per_shard_(keys / kShards + 1) {}

  bool limits() const { return per_milli_ > 0 && burst_ > 0; }

  // Nothing if `key` may go ahead now, else how long it has to wait. The empty key always may.
  // What costs more than a whole bucket costs a whole bucket.
  std::optional<Millis> Take(std::string_view key, TimePoint now, double cost = 1.0) {
    if (!limits() || key.empty()) return std::nullopt;
    Shard& shard = shards_[std::hash<std::string_view>()(key) % kShards];
    const MutexLock lock(shard.mutex);
    auto found = shard.buckets.find(key);
    if (found == shard.buckets.end()) {
      if (shard.buckets.size() >= keys_per_shard_) Forget(shard, now);
      found = shard.buckets.emplace(std::string(key), Bucket{burst_, now}).first;
    }
    Bucket& bucket = found->second;
    bucket.tokens = Filled(bucket, now);
    bucket.filled_at = now;
    cost = std::min(cost, burst_);
    if (bucket.tokens < cost) {
      return Millis(std::llround(std::ceil((cost - bucket.tokens) / per_milli_)));
    }
    bucket.tokens -= cost;
    return std::nullopt;
  }

  std::size_t size() const {
    std::size_t size = 0;
    for (const Shard& shard : shards_) {
      const MutexLock lock(shard.mutex);
      size += shard.buckets.size();
    }
    return size;
  }

 private:
  struct Bucket {
    double tokens;
    TimePoint filled_at;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const {
      return std::hash<std::string_view>()(key);
    }
  };
  struct Shard {
    mutable Mutex mutex;
    std::unordered_map<std::string, Bucket, Hash, std::equal_to<>> buckets
        KOMADAI_GUARDED_BY(mutex);
  };
  static constexpr std::size_t kShards = 16;

  double Filled(const Bucket& bucket, TimePoint now) const {
    // A clock that goes back locks nobody out.
    const double elapsed = std::max(0.0, static_cast<double>((now - bucket.filled_at).count()));
    return std::min(burst_, bucket.tokens + elapsed * per_milli_);
  }
  void Forget(Shard& shard, TimePoint now) const KOMADAI_REQUIRES(shard.mutex) {
    std::erase_if(shard.buckets,
                  [&](const auto& entry) { return Filled(entry.second, now) >= burst_; });
    if (shard.buckets.size() >= keys_per_shard_) shard.buckets.clear();
  }

  const double per_milli_;
  const double burst_;
  const std::size_t keys_per_shard_;
  std::array<Shard, kShards> shards_;
};

}  // namespace komadai
