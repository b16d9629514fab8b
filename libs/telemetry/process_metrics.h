// What the process itself uses: memory, threads, open files, CPU time; read from /proc at each
// scrape.
#pragma once

#include <memory>
#include <vector>

#include "libs/telemetry/metrics.h"

namespace komadai::telemetry {

// The gauges live as long as the returned guards.
[[nodiscard]] std::vector<std::shared_ptr<void>> AddProcessMetrics(Metrics& metrics);

}  // namespace komadai::telemetry
