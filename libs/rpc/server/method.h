// Method: what the machinery must know about one RPC.
#pragma once

#include <cstddef>
#include <string>

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
  // As how many calls one counts against the rate limits: about its work in units of 0.1 ms.
  double cost = 1;
};
inline constexpr Millis kNoDeadline = Millis::max();

struct Method {
  std::string service;    // "komadai.game.v1.GameService"
  std::string name;       // "PlayMove"
  std::string full_name;  // "komadai.game.v1.GameService/PlayMove"
  std::string path;       // "/komadai.game.v1.GameService/PlayMove"
  MethodOptions options;
  Runtime* runtime = nullptr;

  // Metric handles.
  telemetry::Counters* handled = nullptr;
  prometheus::Histogram* duration = nullptr;
  prometheus::Gauge* in_flight = nullptr;
  prometheus::Counter* messages_sent = nullptr;
  prometheus::Counter* slow_consumers = nullptr;

  prometheus::Counter& HandledWith(Code code) const;
  // Fills the handles, when the names are set.
  void ResolveMetrics(telemetry::Metrics& metrics);
};

}  // namespace komadai::rpc
