#include "libs/rpc/server/server_settings.h"

#include "libs/rpc/auth/token.h"

namespace komadai::rpc {
namespace {

using config::Check;
using config::ListenAddress;
using config::MinLength;
using config::NotEmpty;
using config::OneOf;
using config::OptionalListenAddress;
using config::OptionalReadableFile;
using config::Range;
using std::chrono::hours;
using std::chrono::seconds;

void AddConnectionSettings(ServerSettings& server, config::Settings& settings) {
  settings.Section("Connections");
  settings.Add(
      "keepalive-min-ping-interval", &server.keepalive_min_ping_interval,
      "shortest time between pings of a client, also without calls; a client that pings faster "
      "is disconnected with too_many_pings",
      Range<Millis>(Millis(0), hours(2)));
  settings.Add("keepalive-interval", &server.keepalive_interval, "ping idle connections this often",
               Range<Millis>(seconds(1), hours(2)));
  settings.Add("keepalive-timeout", &server.keepalive_timeout,
               "close the connection when a ping is unanswered this long",
               Range<Millis>(Millis(100), hours(1)));
  settings.Add(
      "max-connection-age", &server.max_connection_age,
      "ask clients to reconnect after this time, so that new replicas get traffic; 0: never",
      Range<Millis>(Millis(0), hours(240)));
  settings.Add("max-connection-age-grace", &server.max_connection_age_grace,
               "how long open calls and streams of such a connection may continue",
               Range<Millis>(Millis(0), hours(24)));
  settings.Add("max-connection-idle", &server.max_connection_idle,
               "close a connection without a call or stream after this time; 0: never",
               Range<Millis>(Millis(0), hours(240)));
  settings.Add("slow-client-limit", &server.slow_client_limit,
               "cancel a call when its request does not arrive, or its answer is not read, within "
               "this time",
               Range<Millis>(Millis(1), hours(1)));
  settings.Add("max-calls-per-address", &server.call_slots.calls_per_address,
               "most calls and streams open at once of one network address (IPv6: its /64); 0: any "
               "number",
               Range(0, 1000000));
  settings.Add("max-reads-per-address", &server.call_slots.reads_per_address,
               "most requests of one network address that are read at once, further ones wait; 0: "
               "any number",
               Range(0, 1000000));
  settings.Add(
      "max-concurrent-streams", &server.max_concurrent_streams,
      "most calls and streams open at once on one connection; further ones wait at the client",
      Range(1, 1000000));
  settings.Add("max-message-bytes", &server.max_message_bytes, "longest accepted message, in bytes",
               Range<std::int64_t>(1024, 64 * 1024 * 1024));
  settings.Add("max-connections", &server.max_connections,
               "most connections open at once; fewer if the process may not open so many files",
               Range(1, 1000000));
  settings.Add("max-connections-per-address", &server.max_connections_per_address,
               "most of them from one network address (IPv6: its /64); 0: any number; not counted "
               "behind trusted proxies",
               Range(0, 1000000));
  settings.Add("address-connections-per-second", &server.address_connections_per_second,
               "new connections a second from one network address, in the long run; 0: any number; "
               "not counted behind trusted proxies",
               Range(0.0, 1'000'000.0));
  settings.Add("connection-memory-bytes", &server.connection_memory_bytes,
               "memory for messages that are on their way in or out, of all connections together; "
               "beyond it connections are slowed down and then closed",
               Range<std::int64_t>(16 * 1024 * 1024, 64LL * 1024 * 1024 * 1024));
}

void AddSecuritySettings(ServerSettings& server, config::Settings& settings) {
  settings.Section("Security");
  settings.Add("token-secret", &server.token_secret,
               "key of the bearer tokens (HS256), the same for all services; at least 32 "
               "characters",
               MinLength(kMinSecretLength));
  settings.Add("token-issuer", &server.token_issuer, "issuer claim of this deployment's tokens",
               NotEmpty());
  settings.Add("token-audience", &server.token_audience,
               "audience claim of this deployment's tokens", NotEmpty());
  settings.Add("tls-certificate", &server.tls_certificate,
               "PEM file with the server's certificate chain; empty: no TLS",
               OptionalReadableFile());
  settings.Add("tls-key", &server.tls_key, "PEM file with the server's private key",
               OptionalReadableFile());
  settings.Add("tls-client-ca", &server.tls_client_ca,
               "PEM file; clients must then show a certificate signed by it (mTLS)",
               OptionalReadableFile());
  settings.Add("tls-ca", &server.tls_ca,
               "PEM file; calls to other services then use TLS and trust this authority",
               OptionalReadableFile());
  settings.Add("tls-reload", &server.tls_reload,
               "how often these files are read again; new connections use the new contents",
               Range<Millis>(seconds(1), hours(24)));
  settings.AddRule([&server] {
    return server.tls_certificate.empty() != server.tls_key.empty()
               ? "--tls-certificate and --tls-key belong together"
               : "";
  });
  settings.AddRule([&server] {
    return !server.tls_client_ca.empty() && server.tls_certificate.empty()
               ? "--tls-client-ca needs --tls-certificate and --tls-key"
               : "";
  });
}

}  // namespace

void ServerSettings::AddTo(config::Settings& settings) {
  settings.Section("Server");
  settings.Add("listen", &listen, "address to serve gRPC on; port 0 picks a free one",
               ListenAddress());
  settings.Add("metrics-listen", &metrics_listen,
               "address to serve Prometheus metrics on; empty: none", OptionalListenAddress());
  settings.Add("log-level", &log_level, "trace, debug, info, warning, error or off",
               OneOf({"trace", "debug", "info", "warning", "error", "off"}));
  settings.Add("access-log", &access_log, "which calls are logged: off, errors or all",
               OneOf({"off", "errors", "all"}));
  settings.Add("readiness-interval", &readiness_interval,
               "how often the stores are checked for readiness",
               Range<Millis>(Millis(10), seconds(60)));
  settings.Add("drain-delay", &drain_delay,
               "on SIGTERM, time between NOT_SERVING and the end of streams, for load balancers "
               "to notice",
               Range<Millis>(Millis(0), seconds(120)));
  settings.Add("shutdown-grace", &shutdown_grace, "after that, how long running calls may continue",
               Range<Millis>(Millis(0), seconds(300)));
  AddConnectionSettings(*this, settings);
  AddSecuritySettings(*this, settings);
  oidc.AddTo(settings);
  limits.AddTo(settings);
}

}  // namespace komadai::rpc
