// Metrics: the catalogue of a process's Prometheus metrics.
//
//   Counters& finished = metrics.Counter("komadai_game_finished_total", "Games ended.",
//                                        {{"variant", {"shogi", "minishogi", "xiangqi"}},
//                                         {"outcome", {"win", "draw", "aborted"}}});
//   finished.With({"shogi", "win"}).Increment();
//
// Every label has a closed set of values; anything else counts as "other", so that no id of a game
// or a player can grow the number of series. Register at start (not on the hot path) and keep the
// handle: it lives as long as Metrics. Registering a name again with the same shape returns the
// same family. Names start with "komadai_", counters end in "_total", units come last ("_seconds",
// "_bytes"). Thread-safe.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <atomic>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/mutex.h"

namespace komadai::telemetry {

struct LabelSpec {
  std::string name;
  std::vector<std::string> values;
};

// One metric with all its series; a series appears once it is first used.
template <typename Kind>
class MetricFamily {
 public:
  // One value per label, in the order of registration. Lock-free after the first use of a series.
  Kind& With(std::initializer_list<std::string_view> values);
  // The series of a family without labels.
  Kind& Get() { return With({}); }

  MetricFamily(std::vector<LabelSpec> labels, std::function<Kind&(const prometheus::Labels&)> add);

 private:
  std::vector<LabelSpec> labels_;
  std::function<Kind&(const prometheus::Labels&)> add_;
  Mutex mutex_;  // only one thread adds a series
  std::vector<std::atomic<Kind*>> series_;
};
using Counters = MetricFamily<prometheus::Counter>;
using Gauges = MetricFamily<prometheus::Gauge>;
using Histograms = MetricFamily<prometheus::Histogram>;

// 50 us to 10 s: for calls and store operations, in seconds.
const std::vector<double>& LatencyBuckets();

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // `constant` labels have the same value in every series of the handle that is returned; several
  // handles of one name may differ in them (a call metric, once per method of each service).
  Counters& Counter(const std::string& name, const std::string& help,
                    std::vector<LabelSpec> labels = {}, prometheus::Labels constant = {});
  Gauges& Gauge(const std::string& name, const std::string& help,
                std::vector<LabelSpec> labels = {}, prometheus::Labels constant = {});
  Histograms& Histogram(const std::string& name, const std::string& help,
                        std::vector<LabelSpec> labels = {},
                        std::vector<double> buckets = LatencyBuckets(),
                        prometheus::Labels constant = {});
  // A gauge that is read by calling `read` at each scrape; `read` must be thread-safe and stay
  // valid until Metrics or the returned guard is destroyed.
  [[nodiscard]] std::shared_ptr<void> GaugeCallback(const std::string& name,
                                                    const std::string& help,
                                                    std::function<double()> read);

  // One line per metric, sorted: "NAME TYPE LABEL,LABEL". What golden-name tests compare.
  std::vector<std::string> Catalogue() const;
  // The text a scrape returns.
  std::string Scrape() const;
  // All collectables, for MetricsServer.
  std::vector<std::shared_ptr<prometheus::Collectable>> Collectables() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace komadai::telemetry
