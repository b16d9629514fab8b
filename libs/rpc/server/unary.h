// Unary: serves one unary call with a coroutine.
//
//   grpc::ServerUnaryReactor* PlayMove(grpc::CallbackServerContext* context,
//                                      const PlayMoveRequest* request,
//                                      PlayMoveResponse* response) override {
//     return rpc::Unary(play_move_, context, request, response, this, &GameService::DoPlayMove);
//   }
//   Task<Result<PlayMoveResponse>> DoPlayMove(rpc::Call call, const PlayMoveRequest& request);
//
// KOMADAI_RPC_UNARY(GameService, PlayMove) declares just that, where most methods are such.
//
// Before the handler runs, in this order: the receive time is taken, the deadline clamped, the
// caller authenticated and authorised, the size checked. After it: the Error becomes a status with
// details, an exception INTERNAL; metrics and access log are written and the call is finished,
// exactly once. The handler starts on a gRPC thread: it must not block. `request` lives until the
// handler's result.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"
#include "libs/rpc/server/method.h"

namespace komadai::rpc {

namespace internal {

// The part that does not depend on the message types.
class UnaryReactor final : public grpc::ServerUnaryReactor {
 public:
  UnaryReactor(const Method& method, grpc::CallbackServerContext* context);

  // The call to hand to the handler, or why it must not run.
  Result<Call> Admit(std::size_t request_bytes);
  // Exactly once; the reactor may be gone when this returns.
  void Complete(const std::optional<Error>& error);

 private:
  void OnCancel() override;
  void OnDone() override;

  grpc::CallbackServerContext* const context_;
  std::shared_ptr<CallState> state_;
};

Error UnexpectedException(const Call& call, const Method& method, const char* what);

template <typename Request, typename Response, typename Service>
komadai::internal::Detached RunUnary(UnaryReactor* reactor, const Method& method,
                                     const Request* request, Response* response, Service* service,
                                     Task<Result<Response>> (Service::*handler)(Call,
                                                                                const Request&)) {
  std::optional<Error> error;
  Result<Call> call = reactor->Admit(request->ByteSizeLong());
  if (!call) {
    error = std::move(call).error();
  } else {
    try {
      Task<Result<Response>> task = (service->*handler)(*call, *request);
      Result<Response> result = co_await std::move(task);
      if (result) {
        *response = *std::move(result);
      } else {
        error = std::move(result).error();
      }
    } catch (const std::exception& e) {
      error = UnexpectedException(*call, method, e.what());
    } catch (...) {
      error = UnexpectedException(*call, method, "of unknown type");
    }
  }
  reactor->Complete(error);
}

}  // namespace internal

template <typename Request, typename Response, typename Service>
grpc::ServerUnaryReactor* Unary(const Method& method, grpc::CallbackServerContext* context,
                                const Request* request, Response* response, Service* service,
                                Task<Result<Response>> (Service::*handler)(Call, const Request&)) {
  auto* reactor = new internal::UnaryReactor(method, context);  // deletes itself in OnDone
  internal::RunUnary(reactor, method, request, response, service, handler);
  return reactor;
}

}  // namespace komadai::rpc

// In a class whose messages are in the namespace `pb` and whose methods are in `methods_`, an
// rpc::MethodTable declared before. The class defines Do##Name.
#define KOMADAI_RPC_UNARY(Class, Name)                                                           \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                           \
                                 const pb::Name##Request* request, pb::Name##Response* response) \
      override {                                                                                 \
    return ::komadai::rpc::Unary(method_##Name##_, context, request, response, this,             \
                                 &Class::Do##Name);                                              \
  }                                                                                              \
  Task<Result<pb::Name##Response>> Do##Name(::komadai::rpc::Call call,                           \
                                            const pb::Name##Request& request);                   \
  const ::komadai::rpc::Method& method_##Name##_ = methods_[#Name]
