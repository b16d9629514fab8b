// ServerSettings: the settings that every server of the project has.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/rpc/auth/oidc.h"
#include "libs/rpc/server/call_slots.h"
#include "libs/rpc/server/rate_limits.h"

namespace komadai::rpc {

struct ServerSettings {
  std::string listen = "127.0.0.1:50051";
  std::string metrics_listen;  // empty: no metrics endpoint
  std::string log_level = "info";
  std::string access_log = "errors";

  // Clients may ping this often, also without calls; a client that pings faster is cut off.
  Millis keepalive_min_ping_interval{1000};
  Millis keepalive_interval{30000};  // how often the server asks silent clients whether they live
  Millis keepalive_timeout{10000};
  Millis max_connection_age{30 * 60 * 1000};  // 0: unlimited
  Millis max_connection_age_grace{60000};
  Millis max_connection_idle{10 * 60 * 1000};  // 0: unlimited
  Millis slow_client_limit{10000};  // then a call that is not sent or not read is cancelled
  CallSlotSettings call_slots;
  int max_concurrent_streams = 100;  // per connection
  int max_connections = 10000;
  int max_connections_per_address = 256;                     // 0: any number
  double address_connections_per_second = 50;                // 0: any number
  std::int64_t connection_memory_bytes = 128 * 1024 * 1024;  // of all connections together
  std::int64_t max_message_bytes = 4 * 1024 * 1024;

  std::string tls_certificate;  // PEM files; empty: no TLS
  std::string tls_key;
  std::string tls_client_ca;  // set: clients must show a certificate signed by it
  std::string tls_ca;         // set: calls to other services use TLS and trust this CA
  Millis tls_reload{60000};   // how often these files are looked at; full seconds

  config::Secret token_secret;
  std::string token_issuer = "komadai";
  std::string token_audience = "komadai";

  OidcSettings oidc;
  RateLimitSettings limits;

  Millis readiness_interval{1000};
  Millis drain_delay{0};         // between NOT_SERVING and the end of streams
  Millis shutdown_grace{10000};  // for the calls that are running then

  void AddTo(config::Settings& settings);
};

}  // namespace komadai::rpc
