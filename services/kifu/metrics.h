// The metrics of the kifu service; the README says what each means.
#pragma once

#include "libs/telemetry/metrics.h"

namespace komadai::kifu {

struct KifuMetrics {
  explicit KifuMetrics(telemetry::Metrics& metrics);

  prometheus::Counter& stored_games;
  prometheus::Counter& stored_imports;
};

}  // namespace komadai::kifu
