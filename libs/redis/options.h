// Where Redis is and how patient its clients are.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "libs/base/result.h"

namespace komadai::redis {

struct Options {
  std::string host = "127.0.0.1";
  int port = 6379;
  std::string unix_socket = {};  // set: used instead of host and port
  std::string user = {};         // needs Redis 6 (ACL)
  std::string password = {};
  int database = 0;

  std::chrono::milliseconds connect_timeout{1000};
  // A reply that takes longer breaks the connection: everything sent on it is in doubt.
  std::chrono::milliseconds command_timeout{5000};
  // How long a command waits for a connection before it fails as unavailable.
  std::chrono::milliseconds offline_patience{250};
  // The pause before a new attempt to connect doubles from the first to the second.
  std::chrono::milliseconds min_backoff{20};
  std::chrono::milliseconds max_backoff{500};
  // More commands (or bytes of them) than this waiting for a reply: new ones are refused.
  std::size_t max_pending_commands = 50'000;
  std::size_t max_pending_bytes = std::size_t{128} * 1024 * 1024;
  // Refuse a server that is not the primary: after a failover an old address may lead to a replica.
  bool require_primary = true;
};

inline constexpr Reason kBadRedisUrl{Code::kInvalidArgument, "BAD_REDIS_URL"};

// redis://[user[:password]@]host[:port][/database], redis://:password@host, and
// unix://[user[:password]@]/path/to/socket[?db=N]. Parts may be percent-encoded. The error message
// does not repeat the password.
Result<Options> ParseUrl(std::string_view url);

}  // namespace komadai::redis
