#include "services/kifu/metrics.h"

namespace komadai::kifu {
namespace {

telemetry::Counters& Stored(telemetry::Metrics& metrics) {
  return metrics.Counter("komadai_kifu_stored_total", "Games stored, repeats included.",
                         {{"origin", {"game", "import"}}});
}

}  // namespace

KifuMetrics::KifuMetrics(telemetry::Metrics& metrics)
    : stored_games(Stored(metrics).With({"game"})),
      stored_imports(Stored(metrics).With({"import"})) {}

}  // namespace komadai::kifu
