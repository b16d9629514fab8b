#include "libs/telemetry/metrics_server.h"

#include <prometheus/exposer.h>

#include <exception>

namespace komadai::telemetry {

Result<std::unique_ptr<MetricsServer>> MetricsServer::Start(const std::string& listen,
                                                            const Metrics& metrics) {
  std::unique_ptr<MetricsServer> server(new MetricsServer());
  server->collectables_ = metrics.Collectables();
  try {
    server->exposer_ = std::make_unique<prometheus::Exposer>(listen);
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
