#include "libs/telemetry/metrics_server.h"

#include <prometheus/exposer.h>

#include <exception>
#include <string>
#include <vector>

namespace komadai::telemetry {
namespace {

// A connection keeps a thread until it has sent its request. The times are short, so that silent
// connections cannot keep all threads from a scrape.
std::vector<std::string> ServerOptions(const std::string& listen) {
  return {"listening_ports",       listen, "num_threads",       "16", "request_timeout_ms", "1000",
          "keep_alive_timeout_ms", "500",  "enable_keep_alive", "no", "linger_timeout_ms",  "500"};
}

}  // namespace

Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                            const Metrics& metrics) {
  std::unique_ptr<MetricsServer> server(new MetricsServer());
  server->collectables_ = metrics.Collectables();
  try {
    server->exposer_ = std::make_unique<prometheus::Exposer>(ServerOptions(listen));
  } catch (const std::exception& e) {
    return Error(kMetricsListenFailed, "cannot serve metrics on " + listen + ": " + e.what());
  }
  for (const auto& collectable : server->collectables_) {
    server->exposer_->RegisterCollectable(collectable);
  }
  return server;
}

MetricsServer::~MetricsServer() = default;

int MetricsServer::port() const {
  const std::vector<int> ports = exposer_->GetListeningPorts();
  return ports.empty() ? 0 : ports.front();
}

}  // namespace komadai::telemetry
