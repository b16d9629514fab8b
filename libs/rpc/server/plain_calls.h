// PlainCalls: limits the calls of services outside of the machinery, which gRPC brings: health
// checks and reflection. A call too many is cancelled.
#pragma once

#include <grpcpp/support/server_interceptor.h>

#include "libs/base/time.h"
#include "libs/rpc/server/connection_calls.h"
#include "libs/rpc/server/rate_limits.h"

namespace komadai::rpc {

class PlainCalls final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  // All must outlive the server.
  PlainCalls(RateLimits& limits, ConnectionCalls& calls, const TimeSource& time)
      : limits_(limits), calls_(calls), time_(time) {}

  // Null, which costs nothing, for all other calls.
  grpc::experimental::Interceptor* CreateServerInterceptor(
      grpc::experimental::ServerRpcInfo* info) override;

 private:
  RateLimits& limits_;
  ConnectionCalls& calls_;
  const TimeSource& time_;
};

}  // namespace komadai::rpc
