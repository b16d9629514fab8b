// AddressLimiter: how many guest sessions one network address may open.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libs/base/time.h"

namespace komadai::rating {

// The address behind gRPC's name of a peer ("ipv4:192.0.2.1:5000", "ipv6:%5B2001:db8::1%5D:5000"):
// without the port, IPv6 by its /64 network, which is what one subscriber has. Empty for peers
// without a network address (in process, unix sockets): those are not limited.
std::string AddressOfPeer(std::string_view peer);

// A token bucket per address: `per_minute` in the long run and as many at once. 0 means no limit.
// Remembers a bounded number of addresses. Thread-safe.
class AddressLimiter {
 public:
  explicit AddressLimiter(int per_minute) : per_minute_(per_minute) {}

  // Nothing if the session may be opened now, else how long to wait.
  std::optional<Millis> Take(const std::string& address, TimePoint now);

 private:
  struct Bucket {
    double tokens;
    TimePoint filled_at;
  };
  void Forget(TimePoint now);

  const int per_minute_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace komadai::rating
