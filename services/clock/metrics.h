// The metrics of the clock service; the README says what each means.
#pragma once

#include "libs/telemetry/metrics.h"

namespace komadai::clock {

struct ClockMetrics {
  explicit ClockMetrics(telemetry::Metrics& metrics);

  prometheus::Counter& presses_charged;
  prometheus::Counter& presses_repeated;
  prometheus::Counter& presses_too_late;
  prometheus::Counter& presses_refused;
  prometheus::Counter& conflicts;
  prometheus::Counter& in_doubt;
  prometheus::Counter& expiries_own;
  prometheus::Counter& expiries_adopted;
  prometheus::Counter& expiries_remote;
  prometheus::Counter& expiries_withdrawn;
  prometheus::Histogram& lateness;
  prometheus::Gauge& running;
  prometheus::Gauge& timers;
  prometheus::Gauge& watchers;
  prometheus::Counter& sweep_failures;
};

}  // namespace komadai::clock
