#include "libs/telemetry/metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <variant>

#include "libs/base/check.h"

namespace komadai::telemetry {
namespace {

constexpr std::size_t kMaxSeries = 2000;  // of one handle; more is a mistake, not a metric
constexpr char kOther[] = "other";

// Reads gauges at scrape time.
class CallbackGauges final : public prometheus::Collectable {
 public:
  struct Gauge {
    std::string name;
    std::string help;
    std::function<double()> read;
  };

  void Add(const std::shared_ptr<Gauge>& gauge) {
    const MutexLock lock(mutex_);
    gauges_.push_back(gauge);
  }
  std::vector<prometheus::MetricFamily> Collect() const override {
    std::vector<std::shared_ptr<Gauge>> alive;
    {
      const MutexLock lock(mutex_);
      for (const std::weak_ptr<Gauge>& gauge : gauges_) {
        if (auto strong = gauge.lock()) alive.push_back(std::move(strong));
      }
    }
    std::vector<prometheus::MetricFamily> families;
    for (const std::shared_ptr<Gauge>& gauge : alive) {
      prometheus::MetricFamily family;
      family.name = gauge->name;
      family.help = gauge->help;
      family.type = prometheus::MetricType::Gauge;
      family.metric.resize(1);
      family.metric[0].gauge.value = gauge->read();
      families.push_back(std::move(family));
    }
    return families;
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::weak_ptr<Gauge>> gauges_ KOMADAI_GUARDED_BY(mutex_);
};

std::string Join(const std::vector<LabelSpec>& labels, const prometheus::Labels& constant) {
  std::vector<std::string> names;
  for (const auto& [name, value] : constant) names.push_back(name);
  for (const LabelSpec& label : labels) names.push_back(label.name);
  std::sort(names.begin(), names.end());
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : ",") + name;
  return joined;
}

}  // namespace

template <typename Kind>
MetricFamily<Kind>::MetricFamily(std::vector<LabelSpec> labels,
                                 std::function<Kind&(const prometheus::Labels&)> add)
    : labels_(std::move(labels)), add_(std::move(add)) {
  std::size_t count = 1;
  for (const LabelSpec& label : labels_) count *= label.values.size() + 1;  // and "other"
  KOMADAI_CHECK(count <= kMaxSeries);
  series_ = std::vector<std::atomic<Kind*>>(count);
}

template <typename Kind>
Kind& MetricFamily<Kind>::With(std::initializer_list<std::string_view> values) {
  KOMADAI_CHECK(values.size() == labels_.size());
  std::size_t index = 0;
  auto label = labels_.begin();
  for (const std::string_view value : values) {
    const auto& known = label->values;
    const auto position = std::find(known.begin(), known.end(), value) - known.begin();
    index = index * (known.size() + 1) + static_cast<std::size_t>(position);
    ++label;
  }
  if (Kind* ready = series_[index].load(std::memory_order_acquire)) return *ready;

  const MutexLock lock(mutex_);
  if (Kind* ready = series_[index].load(std::memory_order_acquire)) return *ready;
  prometheus::Labels full;
  label = labels_.begin();
  for (const std::string_view value : values) {
    const bool known =
        std::find(label->values.begin(), label->values.end(), value) != label->values.end();
    full[label->name] = known ? std::string(value) : kOther;
    ++label;
  }
  Kind& added = add_(full);
  series_[index].store(&added, std::memory_order_release);
  return added;
}

template class MetricFamily<prometheus::Counter>;
template class MetricFamily<prometheus::Gauge>;
template class MetricFamily<prometheus::Histogram>;

const std::vector<double>& LatencyBuckets() {
  static const std::vector<double> kBuckets{0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025,
                                            0.005,   0.01,   0.025,   0.05,   0.1,   0.25,
                                            0.5,     1,      2.5,     5,      10};
  return kBuckets;
}

struct Metrics::Impl {
  using AnyFamily =
      std::variant<std::unique_ptr<Counters>, std::unique_ptr<Gauges>, std::unique_ptr<Histograms>>;
  struct Shape {
    std::string type;
    std::string label_names;
    std::map<prometheus::Labels, AnyFamily> handles;  // by constant labels
  };

  // The handle of (name, constant labels), made by `make` if it is new.
  template <typename Kind, typename Make>
  MetricFamily<Kind>& Find(const std::string& name, const char* type,
                           const std::vector<LabelSpec>& labels, const prometheus::Labels& constant,
                           Make make) {
    KOMADAI_CHECK(name.rfind("komadai_", 0) == 0);
    const MutexLock lock(mutex);
    Shape& shape = shapes[name];
    const std::string label_names = Join(labels, constant);
    if (shape.type.empty()) {
      shape.type = type;
      shape.label_names = label_names;
    }
    KOMADAI_CHECK(shape.type == type && shape.label_names == label_names);
    const auto [handle, is_new] = shape.handles.try_emplace(constant);
    if (is_new) handle->second = make();
    return *std::get<std::unique_ptr<MetricFamily<Kind>>>(handle->second);
  }

  mutable Mutex mutex;
  std::shared_ptr<prometheus::Registry> registry = std::make_shared<prometheus::Registry>();
  std::shared_ptr<CallbackGauges> callbacks = std::make_shared<CallbackGauges>();
  std::map<std::string, Shape> shapes KOMADAI_GUARDED_BY(mutex);
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {}
Metrics::~Metrics() = default;

namespace {

prometheus::Labels Merge(prometheus::Labels labels, const prometheus::Labels& constant) {
  labels.insert(constant.begin(), constant.end());
  return labels;
}

}  // namespace

Counters& Metrics::Counter(const std::string& name, const std::string& help,
                           std::vector<LabelSpec> labels, prometheus::Labels constant) {
  KOMADAI_CHECK(name.size() > 6 && name.compare(name.size() - 6, 6, "_total") == 0);
  return impl_->Find<prometheus::Counter>(name, "counter", labels, constant, [&] {
    auto& family = prometheus::BuildCounter().Name(name).Help(help).Register(*impl_->registry);
    return std::make_unique<Counters>(
        labels, [&family, constant](const prometheus::Labels& full) -> prometheus::Counter& {
          return family.Add(Merge(full, constant));
        });
  });
}

Gauges& Metrics::Gauge(const std::string& name, const std::string& help,
                       std::vector<LabelSpec> labels, prometheus::Labels constant) {
  return impl_->Find<prometheus::Gauge>(name, "gauge", labels, constant, [&] {
    auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(*impl_->registry);
    return std::make_unique<Gauges>(
        labels, [&family, constant](const prometheus::Labels& full) -> prometheus::Gauge& {
          return family.Add(Merge(full, constant));
        });
  });
}

Histograms& Metrics::Histogram(const std::string& name, const std::string& help,
                               std::vector<LabelSpec> labels, std::vector<double> buckets,
                               prometheus::Labels constant) {
  return impl_->Find<prometheus::Histogram>(name, "histogram", labels, constant, [&] {
    auto& family = prometheus::BuildHistogram().Name(name).Help(help).Register(*impl_->registry);
    return std::make_unique<Histograms>(
        labels,
        [&family, constant, buckets](const prometheus::Labels& full) -> prometheus::Histogram& {
          return family.Add(Merge(full, constant), buckets);
        });
  });
}

std::shared_ptr<void> Metrics::GaugeCallback(const std::string& name, const std::string& help,
                                             std::function<double()> read) {
  KOMADAI_CHECK(name.rfind("komadai_", 0) == 0);
  auto gauge =
      std::make_shared<CallbackGauges::Gauge>(CallbackGauges::Gauge{name, help, std::move(read)});
  impl_->callbacks->Add(gauge);
  const MutexLock lock(impl_->mutex);
  impl_->shapes[name].type = "gauge";
  return gauge;
}

std::vector<std::string> Metrics::Catalogue() const {
  const MutexLock lock(impl_->mutex);
  std::vector<std::string> lines;
  for (const auto& [name, shape] : impl_->shapes) {
    lines.push_back(name + " " + shape.type + " " + shape.label_names);
  }
  return lines;
}

std::string Metrics::Scrape() const {
  std::vector<prometheus::MetricFamily> all = impl_->registry->Collect();
  for (prometheus::MetricFamily& family : impl_->callbacks->Collect()) {
    all.push_back(std::move(family));
  }
  return prometheus::TextSerializer().Serialize(all);
}

std::vector<std::shared_ptr<prometheus::Collectable>> Metrics::Collectables() const {
  return {impl_->registry, impl_->callbacks};
}

}  // namespace komadai::telemetry
