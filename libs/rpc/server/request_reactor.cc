#include "libs/rpc/server/request_reactor.h"

#include <utility>

#include "libs/base/no_waiting.h"
#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/rate_limits.h"

namespace komadai::rpc {
namespace {

Error TooManyOpenCalls() {
  return Error(kRateLimited, "too many open calls of this address; end some",
               {{"by", "open_calls"}});
}

}  // namespace

RequestReactor::RequestReactor(std::shared_ptr<CallState> state,
                               grpc::CallbackServerContext& context)
    : state_(std::move(state)),
      context_(context),
      place_(*state_->method->runtime->connection_calls, context.peer()),
      slow_clients_(*state_->method->runtime->slow_clients),
      waiting_(context),
      slots_(*state_->method->runtime->call_slots) {}

void RequestReactor::Receive() {
  if (Status admitted = state_->AdmitCall(context_); !admitted) {
    return OnRequest(std::move(admitted).error());
  }
  // Services are trusted, and one of them calls for all its players.
  if (kServices.Contains(state_->caller->kind)) {
    place_.Trust();
  } else {
    slot_of_ = state_->Address();
  }
  entered_ = slots_.Enter(slot_of_);
  if (!entered_) return OnRequest(TooManyOpenCalls());
  slow_clients_.Add(waiting_);
  slots_.Read(slot_of_, *this);
}

void RequestReactor::BeginReading() { StartRead(&request_); }

void RequestReactor::OnReadDone(bool ok) {
  const NoWaiting here;
  slow_clients_.Remove(waiting_);
  slots_.EndReading(slot_of_);
  if (!ok) {
    return OnRequest(context_.IsCancelled()
                         ? Error(kCallCancelled, "the client went away")
                         : Error(kMalformedRequest, "the call has no request message"));
  }
  Status admitted = state_->AdmitRequest(request_.Length());
  OnRequest(admitted ? std::nullopt : std::optional<Error>(std::move(admitted).error()));
}

void RequestReactor::OnCancel() {
  const NoWaiting here;
  // Nothing will be read any more.
  if (slots_.Abandon(slot_of_, *this)) {
    OnRequest(Error(kCallCancelled, "the client went away"));
  }
  OnClientGone();
}

void RequestReactor::OnDone() {
  const NoWaiting here;
  slow_clients_.Remove(waiting_);
  if (entered_) slots_.Leave(slot_of_);
  OnEnd();
}

}  // namespace komadai::rpc
