// Method: what the machinery must know about one RPC; one row of a service's method table.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/caller.h"
#include "libs/telemetry/metrics.h"

namespace komadai::rpc {

struct Runtime;

struct MethodOptions {
  // The longest deadline a client gets; a client without a deadline gets this one. kNoDeadline only
  // for streams that stay open.
  Millis max_deadline{2000};
  // Who may call; everybody else gets UNAUTHENTICATED (no token) or PERMISSION_DENIED.
  CallerSet allow = kAuthenticated;
  std::size_t max_request_bytes = 64 * 1024;
};
inline constexpr Millis kNoDeadline = Millis::max();

struct Method {
  std::string service;    // "komadai.game.v1.GameService"
  std::string name;       // "PlayMove"
  std::string full_name;  // "komadai.game.v1.GameService/PlayMove"
  MethodOptions options;
  Runtime* runtime = nullptr;

  // Metric handles.
  telemetry::Counters* handled = nullptr;
  prometheus::Histogram* duration = nullptr;
  prometheus::Gauge* in_flight = nullptr;
  prometheus::Counter* messages_sent = nullptr;
  prometheus::Counter* slow_consumers = nullptr;

  prometheus::Counter& HandledWith(Code code) const;
};

// The methods of one service. Construction checks the table against the service's descriptor: a
// missing or unknown method is a programmer's error and aborts at start.
class MethodTable {
 public:
  using Rows = std::vector<std::pair<std::string, MethodOptions>>;
  MethodTable(Runtime& runtime, std::string_view service, Rows rows);
  ~MethodTable();
  // Resolve at construction and keep the reference.
  const Method& operator[](std::string_view name) const;

 private:
  std::vector<std::unique_ptr<Method>> methods_;
};

}  // namespace komadai::rpc
