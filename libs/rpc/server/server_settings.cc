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
  settings.Add("ended-stream-linger", &server.ended_stream_linger,
               "disconnect a client that does not read the end of a stream within this time",
               Range<Millis>(Millis(1), hours(1)));
  settings.Add(
      "max-concurrent-streams", &server.max_concurrent_streams,
      "most calls and streams open at once on one connection; further ones wait at the client",
      Range(1, 1000000));
  settings.Add("max-message-bytes", &server.max_message_bytes, "longest accepted message, in bytes",
               Range<std::int64_t>(1024, 64 * 1024 * 1024));
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
