#include "libs/rpc/server/unary.h"

#include "libs/rpc/call_state.h"
#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"

namespace komadai::rpc::internal {

UnaryReactor::UnaryReactor(const Method& method, grpc::CallbackServerContext* context)
    : context_(context), state_(std::make_shared<CallState>(method, *method.runtime->time)) {}

Result<Call> UnaryReactor::Admit(std::size_t request_bytes) {
  if (Status admitted = state_->Admit(*context_, request_bytes); !admitted) {
    return std::move(admitted).error();
  }
  return Call(state_);
}

void UnaryReactor::Complete(const std::optional<Error>& error) {
  state_->Finished(error ? error->code() : Code::kOk, error ? &error->reason() : nullptr);
  Finish(error ? ToGrpcStatus(*error) : grpc::Status::OK);
}

void UnaryReactor::OnCancel() { state_->SetCancelled(); }

void UnaryReactor::OnDone() { delete this; }

Error UnexpectedException(const Call& call, const Method& method, const char* what) {
  method.runtime->log.Error(
      "exception in a handler",
      {{"method", method.full_name}, {"request_id", call.request_id()}, {"what", what}});
  // The text stays in the log: it may tell strangers more than they should know.
  std::map<std::string, std::string> metadata;
  metadata["request_id"] = call.request_id();
  return Error(kInternal, "internal error; the request id names it in the log",
               std::move(metadata));
}

}  // namespace komadai::rpc::internal
