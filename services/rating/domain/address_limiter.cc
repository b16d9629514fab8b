#include "services/rating/domain/address_limiter.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cmath>

namespace komadai::rating {
namespace {

// About 100 bytes each. Beyond it all are forgotten: better a generous moment than an attacker who
// fills memory with addresses.
constexpr std::size_t kAddressesMax = 65536;
constexpr double kMinuteInMillis = 60'000.0;

std::string NetworkOf(std::string address) {
  in6_addr parsed{};
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1) return address;
  std::fill(parsed.s6_addr + 8, parsed.s6_addr + 16, 0);
  char text[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, &parsed, text, sizeof text);
  return text;
}

}  // namespace

std::string AddressOfPeer(std::string_view peer) {
  constexpr std::string_view kIpv4 = "ipv4:";
  constexpr std::string_view kIpv6 = "ipv6:";
  if (peer.substr(0, kIpv4.size()) == kIpv4) {
    const std::string_view rest = peer.substr(kIpv4.size());
    return std::string(rest.substr(0, rest.rfind(':')));
  }
  if (peer.substr(0, kIpv6.size()) != kIpv6) return "";
  std::string_view rest = peer.substr(kIpv6.size());
  for (const std::string_view open : {"%5B", "%5b", "["}) {
    if (rest.substr(0, open.size()) == open) rest.remove_prefix(open.size());
  }
  return NetworkOf(std::string(rest.substr(0, rest.find_first_of("%]"))));
}

std::optional<Millis> AddressLimiter::Take(const std::string& address, TimePoint now) {
  if (per_minute_ <= 0 || address.empty()) return std::nullopt;
  const std::lock_guard lock(mutex_);
  if (buckets_.size() >= kAddressesMax) Forget(now);
  const double capacity = per_minute_;
  Bucket& bucket = buckets_.try_emplace(address, Bucket{capacity, now}).first->second;
  const double elapsed = std::max(0.0, static_cast<double>((now - bucket.filled_at).count()));
  bucket.tokens = std::min(capacity, bucket.tokens + elapsed * capacity / kMinuteInMillis);
  bucket.filled_at = now;
  if (bucket.tokens < 1.0) {
    return Millis(std::llround(std::ceil((1.0 - bucket.tokens) * kMinuteInMillis / capacity)));
  }
  bucket.tokens -= 1.0;
  return std::nullopt;
}

void AddressLimiter::Forget(TimePoint now) {
  // A bucket untouched for a minute is full again: forgetting it changes nothing.
  std::erase_if(buckets_,
                [&](const auto& entry) { return now - entry.second.filled_at >= Millis(60'000); });
  if (buckets_.size() >= kAddressesMax) buckets_.clear();
}

}  // namespace komadai::rating
