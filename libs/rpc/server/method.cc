#include "libs/rpc/server/method.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>

#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"

namespace komadai::rpc {
namespace {

void ResolveMetrics(Method& method, telemetry::Metrics& metrics) {
  const prometheus::Labels labels{{"service", method.service}, {"method", method.name}};
  method.handled = &metrics.Counter("komadai_rpc_handled_total", "Calls ended, by status code.",
                                    {{"code", AllCodeNames()}}, labels);
  method.duration =
      &metrics
           .Histogram("komadai_rpc_duration_seconds", "From the receipt of a call to its end.", {},
                      telemetry::LatencyBuckets(), labels)
           .Get();
  method.in_flight =
      &metrics.Gauge("komadai_rpc_in_flight", "Calls and streams open now.", {}, labels).Get();
  method.messages_sent = &metrics
                              .Counter("komadai_rpc_stream_messages_total",
                                       "Messages written to server streams.", {}, labels)
                              .Get();
  method.slow_consumers = &metrics
                               .Counter("komadai_rpc_slow_consumers_total",
                                        "Streams ended because they were not read.", {}, labels)
                               .Get();
  method.HandledWith(Code::kOk);  // present from the start, so that rates have a zero to rise from
}

// Every method of the descriptor has a row and every row a method.
void CheckComplete(std::string_view service, const MethodTable::Rows& rows) {
  const auto* descriptor =
      google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(std::string(service));
  KOMADAI_CHECK(descriptor != nullptr);
  KOMADAI_CHECK(descriptor->method_count() == static_cast<int>(rows.size()));
  for (const auto& [name, options] : rows) {
    KOMADAI_CHECK(descriptor->FindMethodByName(name) != nullptr);
    KOMADAI_CHECK(!(options.allow == CallerSet()));  // a method that nobody may call
  }
}

}  // namespace

prometheus::Counter& Method::HandledWith(Code code) const {
  return handled->With({CodeName(code)});
}

MethodTable::MethodTable(Runtime& runtime, std::string_view service, Rows rows) {
  CheckComplete(service, rows);
  runtime.services.emplace_back(service);
  for (auto& [name, options] : rows) {
    auto method = std::make_unique<Method>();
    method->service = service;
    method->name = name;
    method->full_name = method->service + "/" + name;
    method->options = options;
    method->runtime = &runtime;
    ResolveMetrics(*method, *runtime.metrics);
    runtime.methods.push_back(method.get());
    methods_.push_back(std::move(method));
  }
}

MethodTable::~MethodTable() = default;

const Method& MethodTable::operator[](std::string_view name) const {
  const auto found = std::find_if(methods_.begin(), methods_.end(),
                                  [&](const auto& method) { return method->name == name; });
  KOMADAI_CHECK(found != methods_.end());
  return **found;
}

}  // namespace komadai::rpc
