#include "libs/rpc/server/plain_calls.h"

#include <grpcpp/server_context.h>

#include <optional>
#include <string>
#include <string_view>

#include "libs/rpc/server/peer_address.h"

namespace komadai::rpc {
namespace {

using grpc::experimental::InterceptionHookPoints;

constexpr std::string_view kPlainPrefix = "/grpc.";

class PlainCallLimit final : public grpc::experimental::Interceptor {
 public:
  PlainCallLimit(grpc::experimental::ServerRpcInfo& info, RateLimits& limits,
                 ConnectionCalls& calls, const TimeSource& time)
      : info_(info), limits_(limits), calls_(calls), time_(time) {}

  void Intercept(grpc::experimental::InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_INITIAL_METADATA)) {
      grpc::ServerContextBase& context = *info_.server_context();
      place_.emplace(calls_, context.peer());
      std::string address;
      if (limits_.trusted_proxies() > 0) {
        address = ForwardedAddress(ForwardedHeader(*methods->GetRecvInitialMetadata()),
                                   limits_.trusted_proxies());
      }
      if (address.empty()) address = AddressOfPeer(context.peer());
      if (!limits_.TakePlain(address, time_.Now())) context.TryCancel();
    }
    methods->Proceed();
  }

 private:
  grpc::experimental::ServerRpcInfo& info_;
  RateLimits& limits_;
  ConnectionCalls& calls_;
  const TimeSource& time_;
  std::optional<ConnectionCalls::Place> place_;
};

}  // namespace

grpc::experimental::Interceptor* PlainCalls::CreateServerInterceptor(
    grpc::experimental::ServerRpcInfo* info) {
  if (!std::string_view(info->method()).starts_with(kPlainPrefix)) return nullptr;
  return new PlainCallLimit(*info, limits_, calls_, time_);  // gRPC deletes it with the call
}

}  // namespace komadai::rpc
