// Server: a gRPC server that runs one component or many, with everything a server of ours has.
//
// Health names (grpc.health.v1): "" and each service's full name say readiness, "live" liveness,
// which never depends on stores. Reflection is on. Call Drain() before destruction to end in order.
#pragma once

#include <grpcpp/channel.h>

#include <memory>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/listening_sockets.h"
#include "libs/rpc/server/server_settings.h"

namespace komadai::rpc {

inline constexpr Reason kBadSettings{Code::kInvalidArgument, "BAD_SETTINGS"};

inline constexpr char kLiveHealthName[] = "live";

// What the outside world gives to a server; tests put their own in.
struct ServerEnvironment {
  std::string program;  // "komadai-game"
  telemetry::Logger log = telemetry::Logger::Null();
  const TimeSource* time = nullptr;
  Random* random = nullptr;
  // Targets of services that this process does not serve, by short name.
  std::vector<std::pair<std::string, std::string>> targets;
};

class Server {
 public:
  // Binds all components, listens and starts them. Everything in `environment` must outlive the
  // server.
  static Result<std::unique_ptr<Server>> Start(const ServerSettings& settings,
                                               std::vector<ComponentSpec> components,
                                               ServerEnvironment environment);
  ~Server();  // drains if nobody has

  // HOST:PORT with the port that was picked, or unix:/PATH. Empty if settings.listen is empty.
  const std::string& address() const;
  // 0 without a metrics endpoint.
  int metrics_port() const;
  std::shared_ptr<grpc::Channel> InProcessChannel();
  telemetry::Metrics& metrics();
  const TokenMinter& tokens() const;
  DrainSignal& drain_signal();
  // Every method that is served, with its rule.
  std::vector<const Method*> methods() const;
  ReadinessMonitor& readiness();

  // Readiness off, the drain delay, streams ended with UNAVAILABLE, running calls finished or cut
  // at the grace period, components stopped in reverse order. Blocks. Idempotent.
  void Drain();

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace komadai::rpc
