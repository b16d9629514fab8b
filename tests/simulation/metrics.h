// Metrics that all simulated replicas of the process share: nobody reads them, and making them
// takes longer than a schedule.
#pragma once

#include "services/clock/metrics.h"
#include "services/game/metrics.h"

namespace komadai::simulation {

inline telemetry::Metrics& SharedMetrics() {
  static auto& metrics = *new telemetry::Metrics();
  return metrics;
}
inline clock::ClockMetrics& SharedClockMetrics() {
  static auto& metrics = *new clock::ClockMetrics(SharedMetrics());
  return metrics;
}
inline game::GameMetrics& SharedGameMetrics() {
  static auto& metrics = *new game::GameMetrics(SharedMetrics(), telemetry::Logger::Null());
  return metrics;
}

}  // namespace komadai::simulation
