// MetricsServer: serves /metrics over HTTP for Prometheus.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/telemetry/metrics.h"

namespace prometheus {
class Exposer;
}

namespace komadai::telemetry {

inline constexpr Reason kMetricsListenFailed{Code::kUnavailable, "METRICS_LISTEN_FAILED"};

class MetricsServer {
 public:
  // `listen` is HOST:PORT; port 0 picks a free one. `metrics` must outlive the server.
  static Result<std::unique_ptr<MetricsServer>> Start(const std::string& listen,
                                                      const Metrics& metrics);
  ~MetricsServer();
  int port() const;

 private:
  MetricsServer() = default;

  // The exposer only holds weak pointers.
  std::vector<std::shared_ptr<prometheus::Collectable>> collectables_;
  std::unique_ptr<prometheus::Exposer> exposer_;
};

}  // namespace komadai::telemetry
