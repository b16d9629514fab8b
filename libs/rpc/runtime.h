// Runtime: what all calls of one component share. Owned by the Server.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/time.h"
#include "libs/rpc/auth/authenticator.h"
#include "libs/rpc/server/drain.h"
#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"
#include "libs/telemetry/repeats.h"

namespace komadai::rpc {

class CallSlots;
class ConnectionCalls;
class RateLimits;
class SlowClients;
struct Method;

enum class AccessLog { kOff, kErrors, kAll };

struct Runtime {
  telemetry::Logger log = telemetry::Logger::Null();
  telemetry::Metrics* metrics = nullptr;
  const TimeSource* time = nullptr;
  Authenticator* authenticator = nullptr;
  DrainSignal* drain = nullptr;
  RateLimits* limits = nullptr;  // null: none
  AccessLog access_log = AccessLog::kErrors;
  SlowClients* slow_clients = nullptr;
  CallSlots* call_slots = nullptr;
  ConnectionCalls* connection_calls = nullptr;
  telemetry::Repeats* repeats = nullptr;  // for the access log
  // Full names of the component's services.
  std::vector<std::string> services;
  // Their methods, owned by those services.
  std::vector<const Method*> methods;
  // Calls and streams that are admitted and not finished.
  std::atomic<std::int64_t> open_calls = 0;

  // Request ids made here: a random prefix per process and a counter, so that making one is cheap.
  std::string request_id_prefix;
  std::atomic<std::uint64_t> next_request = 1;
  std::string NewRequestId() {
    return request_id_prefix + std::to_string(next_request.fetch_add(1, std::memory_order_relaxed));
  }
};

}  // namespace komadai::rpc
