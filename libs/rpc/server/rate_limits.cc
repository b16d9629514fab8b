#include "libs/rpc/server/rate_limits.h"

#include <cmath>
#include <optional>

#include "libs/rpc/error.h"
#include "libs/rpc/server/peer_address.h"

namespace komadai::rpc {

namespace {

constexpr double kBytesOfOneCall = 2 * 1024;

}  // namespace

RateLimitSettings RateLimitSettings::Unlimited() {
  RateLimitSettings settings;
  settings.player_calls_per_second = 0;
  settings.anonymous_calls_per_second = 0;
  settings.address_calls_per_second = 0;
  settings.plain_calls_per_second = 0;
  return settings;
}

void RateLimitSettings::AddTo(config::Settings& settings) {
  const auto rate = config::Range(0.0, 1'000'000.0);
  const auto burst = config::Range(1, 1'000'000);
  settings.Section("Limits");
  settings.Add("player-calls-per-second", &player_calls_per_second,
               "calls a second of one player, in the long run; 0: any number", rate);
  settings.Add("player-burst", &player_burst, "calls of one player at once", burst);
  settings.Add("anonymous-calls-per-second", &anonymous_calls_per_second,
               "calls a second without a good token from one network address (IPv6: its /64), in "
               "the long run; 0: any number",
               rate);
  settings.Add("anonymous-burst", &anonymous_burst, "the same at once", burst);
  settings.Add("address-calls-per-second", &address_calls_per_second,
               "calls a second from one network address, with and without tokens, in the long run; "
               "0: any number",
               rate);
  settings.Add("address-burst", &address_burst, "calls from one network address at once", burst);
  settings.Add("plain-calls-per-second", &plain_calls_per_second,
               "health checks and reflection calls a second from one network address, in the long "
               "run; 0: any number",
               rate);
  settings.Add("plain-burst", &plain_burst, "the same at once", burst);
  settings.Add("trusted-proxies", &trusted_proxies,
               "proxies in front of the server that append to x-forwarded-for; addresses are "
               "counted as the outermost of them saw them; 0: as the connection says",
               config::Range(0, 10));
}

RateLimits::RateLimits(const RateLimitSettings& settings, telemetry::Metrics& metrics)
    : trusted_proxies_(settings.trusted_proxies),
      by_player_(settings.player_calls_per_second, settings.player_burst),
      by_anonymous_(settings.anonymous_calls_per_second, settings.anonymous_burst),
      by_address_(settings.address_calls_per_second, settings.address_burst),
      by_plain_(settings.plain_calls_per_second, settings.plain_burst),
      limited_(metrics.Counter(
          "komadai_rpc_rate_limited_total", "Calls refused because of their number.",
          {{"by", {"player", "anonymous", "address", "plain"}}, {"from", AddressClasses()}})) {}

double RateLimits::CostOfRequest(std::size_t bytes) {
  return std::floor(static_cast<double>(bytes) / kBytesOfOneCall);
}

Status RateLimits::Take(const Caller& caller, const std::string& address, double cost,
                        TimePoint now) {
  if (kServices.Contains(caller.kind)) return {};
  if (caller.kind == CallerKind::kAnonymous) return TakeUnknown(address, cost, now);
  if (const std::optional<Millis> wait = by_address_.Take(address, now, cost)) {
    return Limited("address", address, *wait);
  }
  if (const std::optional<Millis> wait = by_player_.Take(caller.id, now, cost)) {
    return Limited("player", address, *wait);
  }
  return {};
}

Status RateLimits::TakeUnknown(const std::string& address, double cost, TimePoint now) {
  if (const std::optional<Millis> wait = by_anonymous_.Take(address, now, cost)) {
    return Limited("anonymous", address, *wait);
  }
  if (const std::optional<Millis> wait = by_address_.Take(address, now, cost)) {
    return Limited("address", address, *wait);
  }
  return {};
}

bool RateLimits::TakePlain(const std::string& address, TimePoint now) {
  if (!by_plain_.Take(address, now)) return true;
  limited_.With({"plain", AddressClass(address)}).Increment();
  return false;
}

Error RateLimits::Limited(std::string_view by, const std::string& address, Millis wait) {
  limited_.With({by, AddressClass(address)}).Increment();
  const char* whose = by == "player"      ? "too many calls of this player"
                      : by == "anonymous" ? "too many calls without a token from this address"
                                          : "too many calls from this address";
  return Error(kRateLimited, std::string(whose) + "; wait a little",
               {{"by", std::string(by)}, {kRetryAfterMs, std::to_string(wait.count())}});
}

}  // namespace komadai::rpc
