#include "libs/rpc/server/method.h"

#include "libs/rpc/error.h"

namespace komadai::rpc {

void Method::ResolveMetrics(telemetry::Metrics& metrics) {
  const prometheus::Labels labels{{"service", service}, {"method", name}};
  handled = &metrics.Counter("komadai_rpc_handled_total", "Calls ended, by status code.",
                             {{"code", AllCodeNames()}}, labels);
  duration =
      &metrics
           .Histogram("komadai_rpc_duration_seconds", "From the receipt of a call to its end.", {},
                      telemetry::LatencyBuckets(), labels)
           .Get();
  in_flight =
      &metrics.Gauge("komadai_rpc_in_flight", "Calls and streams open now.", {}, labels).Get();
  messages_sent = &metrics
                       .Counter("komadai_rpc_stream_messages_total",
                                "Messages written to server streams.", {}, labels)
                       .Get();
  slow_consumers = &metrics
                        .Counter("komadai_rpc_slow_consumers_total",
                                 "Streams ended because they were not read.", {}, labels)
                        .Get();
  HandledWith(Code::kOk);  // present from the start, so that rates have a zero to rise from
}

prometheus::Counter& Method::HandledWith(Code code) const {
  return handled->With({CodeName(code)});
}

}  // namespace komadai::rpc
