// What the pool tells Prometheus and the log.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "services/engine/domain/engine_spec.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {

class EngineMetrics final : public PoolObserver {
 public:
  EngineMetrics(telemetry::Metrics& metrics, telemetry::Logger log,
                const std::vector<EngineSpec>& specs);

  void OnProcessesChanged(const std::string& engine, int up, int total) override;
  void OnDeath(const std::string& engine, const std::string& why) override;
  void OnQueueChanged(std::size_t waiting, std::size_t running) override;
  void OnSearchEnded(const std::string& engine, rules::Variant variant, Urgency urgency,
                     std::string_view outcome, Millis duration) override;
  // Any thread: an engine answered with an illegal move.
  void OnIllegalMove(const std::string& engine, const std::string& position);

 private:
  telemetry::Logger log_;
  telemetry::Gauges& processes_;
  telemetry::Counters& deaths_;
  telemetry::Counters& illegal_moves_;
  prometheus::Gauge& waiting_;
  prometheus::Gauge& running_;
  telemetry::Counters& searches_;
  telemetry::Histograms& search_time_;
};

}  // namespace komadai::engine
