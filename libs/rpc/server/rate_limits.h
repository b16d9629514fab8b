// RateLimits: how many calls a second a server takes from one player and from one network address.
//
// Services and operators are not limited. A stream counts once, when it is opened. A call counts as
// many calls as its method costs, and one more for each 2 KiB of its request. All components of a
// server share the limits; each process counts for itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/base/token_buckets.h"
#include "libs/config/settings.h"
#include "libs/rpc/caller.h"
#include "libs/telemetry/metrics.h"

namespace komadai::rpc {

// With a retry delay. The metadata's `by` says which limit: "player", "anonymous" or "address".
inline constexpr Reason kRateLimited{Code::kResourceExhausted, "RATE_LIMITED"};

// 0 calls per second: any number. An ordinary call keeps a processor busy for about 0.1 ms, so an
// address gets a fifth of a processor without tokens and two fifths in all.
struct RateLimitSettings {
  double player_calls_per_second = 200;
  int player_burst = 2000;
  double anonymous_calls_per_second = 2000;
  int anonymous_burst = 50000;
  double address_calls_per_second = 4000;
  int address_burst = 100000;
  double plain_calls_per_second = 20;
  int plain_burst = 100;
  int trusted_proxies = 0;  // in front of the server, each appending to x-forwarded-for

  static RateLimitSettings Unlimited();
  void AddTo(config::Settings& settings);
};

// Thread-safe.
class RateLimits {
 public:
  // `metrics` must outlive it.
  RateLimits(const RateLimitSettings& settings, telemetry::Metrics& metrics);

  int trusted_proxies() const { return trusted_proxies_; }
  // As how many further calls a request of this size counts.
  static double CostOfRequest(std::size_t bytes);
  // Counts a call with a good token or without one.
  Status Take(const Caller& caller, const std::string& address, double cost, TimePoint now);
  // Counts a call whose token was not good.
  Status TakeUnknown(const std::string& address, double cost, TimePoint now);
  // Counts a call of a service outside of the machinery; false if it is one too many.
  bool TakePlain(const std::string& address, TimePoint now);

 private:
  Error Limited(std::string_view by, const std::string& address, Millis wait);

  const int trusted_proxies_;
  TokenBuckets by_player_;
  TokenBuckets by_anonymous_;
  TokenBuckets by_address_;
  TokenBuckets by_plain_;
  telemetry::Counters& limited_;
};

}  // namespace komadai::rpc
