#include "libs/rpc/server/event_stream.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "libs/base/no_waiting.h"
#include "libs/rpc/call_state.h"
#include "libs/rpc/error.h"
#include "libs/rpc/message_bytes.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/event_stream_reactor.h"
#include "libs/rpc/server/method.h"

namespace komadai::rpc {

EventStreamBase::EventStreamBase(const StreamOpening& opening)
    : method_(opening.method),
      queue_limit_(opening.queue_limit),
      state_(std::make_shared<CallState>(opening.method, *opening.method.runtime->time)),
      reactor_(std::make_unique<Reactor>(*this, state_, opening.context)) {}

EventStreamBase::~EventStreamBase() = default;

EventStreamBase::Reactor* EventStreamBase::Receive(std::shared_ptr<EventStreamBase> self,
                                                   Serve serve) {
  serve_ = std::move(serve);
  {
    const MutexLock lock(mutex_);
    self_ = std::move(self);
  }
  reactor_->Receive();
  return reactor_.get();
}

void EventStreamBase::OnRequest(std::optional<Error> error) {
  Serve serve = std::exchange(serve_, nullptr);
  if (error) return Fail(*std::move(error));
  std::shared_ptr<EventStreamBase> self;
  {
    const MutexLock lock(mutex_);
    self = self_;
  }
  method_.runtime->drain->Join(self);
  serve(std::move(self), Call(state_), reactor_->request());
}

bool EventStreamBase::PublishMessage(AnyMessage message) {
  std::function<void()> on_end;
  bool accepted = false;
  {
    const MutexLock lock(mutex_);
    if (ended_ || completing_) return false;
    if (queue_.size() >= queue_limit_) {
      method_.slow_consumers->Increment();
      on_end = EndLocked(Error(kSlowConsumer, "events were not read fast enough; resume"));
    } else {
      queue_.push_back(std::move(message));
      if (!writing_) StartNextLocked();
      accepted = true;
    }
  }
  if (on_end) on_end();
  return accepted;
}

void EventStreamBase::StartNextLocked() {
  writing_ = true;
  // gRPC never runs a reaction inside the call that starts an operation, so the lock may be held.
  reactor_->Write(*queue_.front());
}

void EventStreamBase::OnWriteDone(bool ok) {
  std::function<void()> on_end;
  {
    const MutexLock lock(mutex_);
    writing_ = false;
    if (ended_) {
      queue_.clear();
      return;
    }
    if (ok) {
      method_.messages_sent->Increment();
      queue_.pop_front();
      if (!queue_.empty()) {
        StartNextLocked();
      } else if (completing_) {
        on_end = EndLocked(std::nullopt);
      }
    } else {
      on_end = EndLocked(Error(kCallCancelled, "the connection is gone"));
    }
  }
  if (on_end) on_end();
}

void EventStreamBase::Complete() {
  std::function<void()> on_end;
  {
    const MutexLock lock(mutex_);
    if (ended_ || completing_) return;
    completing_ = true;
    if (!writing_) on_end = EndLocked(std::nullopt);
  }
  if (on_end) on_end();
}

void EventStreamBase::Fail(Error error) {
  std::function<void()> on_end;
  {
    const MutexLock lock(mutex_);
    if (ended_) return;
    on_end = EndLocked(error);
  }
  if (on_end) on_end();
}

std::function<void()> EventStreamBase::EndLocked(const std::optional<Error>& error) {
  ended_ = true;
  // The message in flight must stay; everything behind it is dropped.
  queue_.resize(writing_ ? 1 : 0);
  state_->Finished(error ? &*error : nullptr);
  // A peer that does not read keeps the write in flight, and with it the stream.
  reactor_->AwaitReader();
  reactor_->Finish(error ? ToGrpcStatus(state_->ForCaller(*error)) : grpc::Status::OK);
  return std::exchange(on_end_, nullptr);
}

void EventStreamBase::OnCancel() {
  state_->SetCancelled();
  Fail(Error(kCallCancelled, "the client went away"));
}

void EventStreamBase::OnDrain() {
  Fail(Error(kServerDraining, "the server is stopping; reconnect and resume"));
}

void EventStreamBase::OnDone() {
  method_.runtime->drain->Leave(this);
  std::shared_ptr<EventStreamBase> self;  // destroyed after the lock is released
  {
    const MutexLock lock(mutex_);
    queue_.clear();
    self = std::move(self_);
  }
}

void EventStreamBase::OnEnd(std::function<void()> fn) {
  {
    const MutexLock lock(mutex_);
    if (!ended_) {
      on_end_ = std::move(fn);
      return;
    }
  }
  fn();
}

bool EventStreamBase::Ended() const {
  const MutexLock lock(mutex_);
  return ended_ || completing_;
}

std::size_t EventStreamBase::Queued() const {
  const MutexLock lock(mutex_);
  return queue_.size();
}

EventStreamBase::Reactor::Reactor(EventStreamBase& stream, std::shared_ptr<CallState> state,
                                  grpc::CallbackServerContext& context)
    : RequestReactor(std::move(state), context), stream_(stream) {}

void EventStreamBase::Reactor::Write(const google::protobuf::MessageLite& message) {
  bytes_ = ToBytes(message);
  StartWrite(&bytes_);
}

void EventStreamBase::Reactor::OnRequest(std::optional<Error> error) {
  stream_.OnRequest(std::move(error));
}

void EventStreamBase::Reactor::OnWriteDone(bool ok) {
  const NoWaiting here;
  stream_.OnWriteDone(ok);
}

void EventStreamBase::Reactor::OnClientGone() { stream_.OnCancel(); }

void EventStreamBase::Reactor::OnEnd() { stream_.OnDone(); }

}  // namespace komadai::rpc
