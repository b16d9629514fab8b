// Component: one service as the harness sees it. The same component runs alone in its own process
// or with others in the all-in-one.
//
// Life: add_settings -> (flags are read) -> bind -> the server listens -> Start -> ... -> Drain ->
// the server has stopped -> Stop -> destruction. Components start in the given order and stop in
// reverse.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/rpc/auth/identity.h"
#include "libs/rpc/auth/token.h"
#include "libs/rpc/client/channels.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/readiness.h"
#include "libs/telemetry/log.h"
#include "libs/telemetry/metrics.h"

namespace grpc {
class Service;
}

namespace komadai::rpc {

class Service;

// What a component is made from. Everything referenced outlives the component.
struct BindContext {
  std::string component;  // short name, e.g. "game"
  telemetry::Logger log;
  telemetry::Metrics& metrics;
  const TimeSource& time;
  Random& random;
  Channels& channels;
  ServiceIdentity& identity;
  const TokenMinter& tokens;  // for the service that opens guest sessions
  ReadinessMonitor& readiness;
  Runtime& runtime;

  // A store's ping, for instance; it may block up to about a second.
  void AddReadinessCheck(std::string name, ReadinessMonitor::Check check) {
    readiness.AddCheck(component, std::move(name), std::move(check));
  }
};

class Component {
 public:
  virtual ~Component() = default;
  // The services to register; they live as long as the component.
  virtual std::vector<Service*> Services() = 0;
  // Services outside the machinery: what plain gRPC costs is measured with one.
  virtual std::vector<grpc::Service*> PlainServices() { return {}; }
  // The server runs and channels work: start sweeps and subscriptions. An error ends the process.
  virtual Status Start() { return {}; }
  // The process will stop soon: take no new long work. Calls are still served.
  virtual void Drain() {}
  // No call is running any more: end threads, flush, close.
  virtual void Stop() {}
};

struct ComponentSpec {
  std::string name = {};  // short name, e.g. "game"
  // Short names of the services it calls: each gets a setting peer-NAME, unless the process
  // serves it.
  std::vector<std::string> dependencies = {};
  std::function<void(config::Settings&)> add_settings = {};  // may be empty
  std::function<Result<std::unique_ptr<Component>>(BindContext&)> bind = {};
};

}  // namespace komadai::rpc
