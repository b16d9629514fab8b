#include "libs/rpc/server/rate_limits.h"

#include <optional>

#include "libs/rpc/error.h"

namespace komadai::rpc {

void RateLimitSettings::AddTo(config::Settings& settings) {
  settings.Section("Limits");
  settings.Add("player-calls-per-second", &player_calls_per_second,
               "calls a second of one player, in the long run; 0: any",
               config::Range(0.0, 1'000'000.0));
  settings.Add("player-burst", &player_burst, "calls of one player at once",
               config::Range(1, 1'000'000));
  settings.Add("address-calls-per-second", &address_calls_per_second,
               "calls a second from one network address (IPv6: its /64), in the long run; 0: any",
               config::Range(0.0, 1'000'000.0));
  settings.Add("address-burst", &address_burst, "calls from one network address at once",
               config::Range(1, 1'000'000));
  settings.Add("trusted-proxies", &trusted_proxies,
               "proxies in front of the server that append to x-forwarded-for; addresses are "
               "counted as the outermost of them saw them; 0: as the connection says",
               config::Range(0, 10));
}

RateLimits::RateLimits(const RateLimitSettings& settings, telemetry::Metrics& metrics)
    : trusted_proxies_(settings.trusted_proxies),
      by_player_(settings.player_calls_per_second, settings.player_burst),
      by_address_(settings.address_calls_per_second, settings.address_burst),
      limited_(metrics.Counter("komadai_rpc_rate_limited_total",
                               "Calls refused because of their number.",
                               {{"by", {"player", "address"}}})) {}

Status RateLimits::Take(const Caller& caller, const std::string& address, TimePoint now) {
  if (kServices.Contains(caller.kind)) return {};
  if (const std::optional<Millis> wait = by_address_.Take(address, now)) {
    return Limited("address", *wait);
  }
  if (const std::optional<Millis> wait = by_player_.Take(caller.id, now)) {
    return Limited("player", *wait);
  }
  return {};
}

Status RateLimits::TakeUnknown(const std::string& address, TimePoint now) {
  if (const std::optional<Millis> wait = by_address_.Take(address, now)) {
    return Limited("address", *wait);
  }
  return {};
}

Error RateLimits::Limited(const char* by, Millis wait) {
  limited_.With({by}).Increment();
  return Error(kRateLimited, std::string("too many calls of this ") + by + "; wait a little",
               {{"by", by}, {kRetryAfterMs, std::to_string(wait.count())}});
}

}  // namespace komadai::rpc
