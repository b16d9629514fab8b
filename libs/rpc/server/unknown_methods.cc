#include "libs/rpc/server/unknown_methods.h"

#include <memory>
#include <utility>

#include "libs/base/no_waiting.h"
#include "libs/rpc/call_state.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/connection_calls.h"

namespace komadai::rpc {
namespace {

constexpr std::size_t kMaxShownName = 100;

Error NoSuchMethod(std::string name) {
  if (name.size() > kMaxShownName) name.resize(kMaxShownName);
  return Error(kUnknownMethod, "there is no method " + name, {{"method", name}});
}

}  // namespace

// The request is never read: gRPC discards it.
class UnknownMethods::Refusal final : public grpc::ServerGenericBidiReactor {
 public:
  Refusal(const Method& method, grpc::GenericCallbackServerContext& context)
      : state_(std::make_shared<CallState>(method, *method.runtime->time)),
        place_(*method.runtime->connection_calls, context.peer()) {
    const Status admitted = state_->AdmitCall(context);
    const Error error = admitted ? NoSuchMethod(context.method()) : admitted.error();
    state_->Finished(&error);
    Finish(ToGrpcStatus(error));
  }

 private:
  void OnCancel() override {
    const NoWaiting here;
    state_->SetCancelled();
  }
  void OnDone() override {
    const NoWaiting here;
    delete this;
  }

  const std::shared_ptr<CallState> state_;
  const ConnectionCalls::Place place_;
};

UnknownMethods::UnknownMethods(Runtime& runtime) {
  method_.service = "unknown";
  method_.name = "unknown";
  method_.full_name = "unknown";
  method_.options.allow = kAnyone;
  method_.runtime = &runtime;
  method_.ResolveMetrics(*runtime.metrics);
}

grpc::ServerGenericBidiReactor* UnknownMethods::CreateReactor(
    grpc::GenericCallbackServerContext* context) {
  const NoWaiting here;
  return new Refusal(method_, *context);  // deletes itself in OnDone
}

}  // namespace komadai::rpc
