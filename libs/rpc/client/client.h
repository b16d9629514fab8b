// Client<Service>: calls another service of ours from coroutines.
//
//   rpc::Client<rules::v1::RulesService> rules_(context, "rules");       // in the component's
//   constructor static constexpr rpc::CallOptions kApply{.timeout = 500ms, .idempotent = true};
//   Result<ApplyResponse> applied = co_await rules_.Call(call, &RulesApi::Apply, request, kApply);
//   // with: using RulesApi = rpc::Client<rules::v1::RulesService>::Api;
//
// Every call has a deadline: the earlier of the incoming call's and the timeout. Request id, trace
// context and credentials go along. Errors of the other side arrive with their reason and metadata.
// Calls are retried after UNAVAILABLE only if they are idempotent (three attempts in all,
// jittered).
#pragma once

#include <google/protobuf/message.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/component.h"
#include "libs/rpc/error.h"

namespace komadai::rpc {

enum class ActAs {
  kService,  // this service's own credentials
  kCaller,   // the incoming call's: for what the player may or may not do itself
  kNobody,
};

struct CallOptions {
  Millis timeout{1000};
  bool idempotent = false;          // repeating it changes nothing more
  bool wait_for_ready = false;      // wait for a peer that is not up yet instead of failing at once
  bool cancel_with_caller = false;  // stop when the incoming call's client goes away
  ActAs act_as = ActAs::kService;
};

namespace internal {

// The part of Client that does not depend on the service.
class ClientCore {
 public:
  ClientCore(BindContext& context, std::string service);

  std::shared_ptr<grpc::Channel> Channel() const;
  // Null if the deadline has passed.
  std::shared_ptr<grpc::ClientContext> NewContext(const Call& call, const CallOptions& options);
  // For a stream of this service's own: its credentials, no deadline.
  std::shared_ptr<grpc::ClientContext> NewStreamContext();
  // Between half of `delay` and all of it, so that clients of one server do not return in step.
  Millis Jittered(Millis delay);
  // Whether to try again; if so, after a pause.
  Task<bool> ShouldRetry(Call call, CallOptions options, Code code, int attempt);
  void Observe(const google::protobuf::Descriptor* request, Code code, double seconds);
  static Error DeadlinePassed();

 private:
  struct Peer;
  std::shared_ptr<Peer> peer_;
};

double SecondsSince(std::chrono::steady_clock::time_point start);

}  // namespace internal

// Thread-safe. Resolves its channel at the first call, so that it can be made before the server
// runs.
template <typename Service>
class Client {
 public:
  using Api = typename Service::StubInterface::async_interface;
  template <typename Request, typename Response>
  using Rpc = void (Api::*)(grpc::ClientContext*, const Request*, Response*,
                            std::function<void(grpc::Status)>);

  Client(BindContext& context, std::string service) : core_(context, std::move(service)) {}

  template <typename Request, typename Response>
  Task<Result<Response>> Call(rpc::Call call, Rpc<Request, Response> rpc, Request request,
                              CallOptions options = {}) {
    for (int attempt = 1;; ++attempt) {
      const std::shared_ptr<grpc::ClientContext> context = core_.NewContext(call, options);
      if (context == nullptr) co_return internal::ClientCore::DeadlinePassed();
      Response response;
      const auto start = std::chrono::steady_clock::now();
      const grpc::Status status = co_await FromCallback<grpc::Status>([&](auto done) {
        (Stub().async()->*rpc)(context.get(), &request, &response, std::move(done));
      });
      const Code code = static_cast<Code>(status.error_code());
      core_.Observe(Request::descriptor(), code, internal::SecondsSince(start));
      if (status.ok()) co_return std::move(response);
      const bool again = co_await core_.ShouldRetry(call, options, code, attempt);
      if (!again) co_return FromGrpcStatus(status);
    }
  }

  // For server streams; see subscription.h.
  typename Service::Stub& Stub() {
    std::call_once(once_, [this] { stub_ = Service::NewStub(core_.Channel()); });
    return *stub_;
  }
  internal::ClientCore& core() { return core_; }

 private:
  internal::ClientCore core_;
  std::once_flag once_;
  std::unique_ptr<typename Service::Stub> stub_;
};

}  // namespace komadai::rpc
