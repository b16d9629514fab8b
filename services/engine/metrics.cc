#include "services/engine/metrics.h"

#include <utility>

namespace komadai::engine {

namespace {

std::vector<std::string> Ids(const std::vector<EngineSpec>& specs) {
  std::vector<std::string> ids;
  for (const EngineSpec& spec : specs) ids.push_back(spec.id);
  return ids;
}

std::vector<std::string> VariantNames() {
  std::vector<std::string> names;
  for (const rules::Variant variant : rules::kVariants) {
    names.emplace_back(rules::VariantName(variant));
  }
  return names;
}

// 10 ms to 60 s: searches, not calls.
const std::vector<double> kSearchBuckets{0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60};

std::string_view KindOf(Urgency urgency) {
  return urgency == Urgency::kUrgent ? "move" : "analysis";
}

}  // namespace

EngineMetrics::EngineMetrics(telemetry::Metrics& metrics, telemetry::Logger log,
                             const std::vector<EngineSpec>& specs)
    : log_(std::move(log)),
      processes_(metrics.Gauge("komadai_engine_processes", "Engine processes that are up.",
                               {{"engine", Ids(specs)}})),
      deaths_(metrics.Counter("komadai_engine_restarts_total",
                              "Engine processes that ended or were killed, each to be restarted.",
                              {{"engine", Ids(specs)}})),
      illegal_moves_(metrics.Counter("komadai_engine_illegal_moves_total",
                                     "Answers of engines that were not legal moves.",
                                     {{"engine", Ids(specs)}})),
      waiting_(
          metrics.Gauge("komadai_engine_queue_depth", "Searches waiting for a process.").Get()),
      running_(metrics.Gauge("komadai_engine_running_searches", "Searches in progress.").Get()),
      searches_(metrics.Counter("komadai_engine_searches_total", "Searches by how they ended.",
                                {{"variant", VariantNames()},
                                 {"kind", {"move", "analysis"}},
                                 {"outcome", {"ok", "died", "cancelled", "busy", "unavailable"}}})),
      search_time_(metrics.Histogram("komadai_engine_search_seconds",
                                     "How long searches ran, without their time in the queue.",
                                     {{"variant", VariantNames()}, {"kind", {"move", "analysis"}}},
                                     kSearchBuckets)) {}

void EngineMetrics::OnProcessesChanged(const std::string& engine, int up, int) {
  processes_.With({engine}).Set(up);
}

void EngineMetrics::OnDeath(const std::string& engine, const std::string& why) {
  deaths_.With({engine}).Increment();
  log_.Warning("an engine process ended; restarting it", {{"engine", engine}, {"why", why}});
}

void EngineMetrics::OnQueueChanged(std::size_t waiting, std::size_t running) {
  waiting_.Set(static_cast<double>(waiting));
  running_.Set(static_cast<double>(running));
}

void EngineMetrics::OnSearchEnded(const std::string&, rules::Variant variant, Urgency urgency,
                                  std::string_view outcome, Millis duration) {
  const std::string_view name = rules::VariantName(variant);
  searches_.With({name, KindOf(urgency), outcome}).Increment();
  if (outcome == "ok") {
    const double seconds = std::chrono::duration<double>(duration).count();
    search_time_.With({name, KindOf(urgency)}).Observe(seconds);
  }
}

void EngineMetrics::OnIllegalMove(const std::string& engine, const std::string& position) {
  illegal_moves_.With({engine}).Increment();
  log_.Warning("an engine answered with an illegal move",
               {{"engine", engine}, {"position", position}});
}

}  // namespace komadai::engine
