// RateLimits: how many calls a second a server takes from one player and from one network address.
//
// Services and operators are not limited. A stream counts once, when it is opened. All components
// of a server share the limits; each process counts for itself.
#pragma once

#include <string>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/base/token_buckets.h"
#include "libs/config/settings.h"
#include "libs/rpc/caller.h"
#include "libs/telemetry/metrics.h"

namespace komadai::rpc {

// With a retry delay. The metadata's `by` says which limit: "player" or "address".
inline constexpr Reason kRateLimited{Code::kResourceExhausted, "RATE_LIMITED"};

struct RateLimitSettings {
  double player_calls_per_second = 0;  // 0: any
  int player_burst = 100;
  double address_calls_per_second = 0;  // 0: any
  int address_burst = 500;
  int trusted_proxies = 0;  // in front of the server, each appending to x-forwarded-for

  void AddTo(config::Settings& settings);
};

// Thread-safe.
class RateLimits {
 public:
  // `metrics` must outlive it.
  RateLimits(const RateLimitSettings& settings, telemetry::Metrics& metrics);

  bool enabled() const { return by_player_.limits() || by_address_.limits(); }
  int trusted_proxies() const { return trusted_proxies_; }
  // Counts a call with a good token or without one.
  Status Take(const Caller& caller, const std::string& address, TimePoint now);
  // Counts a call whose token was not good.
  Status TakeUnknown(const std::string& address, TimePoint now);

 private:
  Error Limited(const char* by, Millis wait);

  const int trusted_proxies_;
  TokenBuckets by_player_;
  TokenBuckets by_address_;
  telemetry::Counters& limited_;
};

}  // namespace komadai::rpc
