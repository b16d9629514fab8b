// EventStream: one subscriber of a server stream. Publish() from any thread; it never blocks.
//
// A bounded queue with one write in flight. A subscriber that reads too slowly is ended with
// RESOURCE_EXHAUSTED/SLOW_CONSUMER (it resumes by sequence number); a draining server ends all
// streams with UNAVAILABLE/DRAINING. The object lives as long as gRPC or anybody's shared_ptr needs
// it; after the stream ended, Publish() does nothing and returns false.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "libs/base/result.h"
#include "libs/rpc/call.h"
#include "libs/rpc/call_state.h"
#include "libs/rpc/error.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/drain.h"
#include "libs/rpc/server/method.h"

namespace komadai::rpc {

// 256 events: more than any game's burst, and at a kibibyte each 256 KiB per stalled subscriber.
inline constexpr std::size_t kDefaultStreamQueue = 256;

template <typename Message>
class EventStream final : public grpc::ServerWriteReactor<Message>, public Drainable {
 public:
  // Used by Stream(); handlers receive the object.
  static std::shared_ptr<EventStream> Open(const Method& method,
                                           grpc::CallbackServerContext* context,
                                           std::size_t queue_limit);
  EventStream(const Method& method, grpc::CallbackServerContext* context, std::size_t queue_limit);

  // Queues a message; false if the stream has ended (or ends because its queue is full). One shared
  // message can go to any number of subscribers.
  bool Publish(std::shared_ptr<const Message> message);
  bool Publish(Message message) {
    return Publish(std::make_shared<const Message>(std::move(message)));
  }
  // Ends with OK once everything queued is written.
  void Complete();
  // Ends with an error at once; what is queued is dropped.
  void Fail(Error error);
  // Runs `fn` once, when the stream ends for whatever reason (at once if it has): unsubscribe
  // there. Not called under the stream's lock.
  void OnEnd(std::function<void()> fn);
  bool Ended() const;
  // Messages not written yet, for publishers that would rather skip one than lose the subscriber.
  std::size_t Queued() const;

  // Used by Stream().
  Result<Call> Admit(std::size_t request_bytes);
  void OnDrain() override {
    Fail(Error(kDraining, "the server is stopping; reconnect and resume"));
  }

 private:
  void OnWriteDone(bool ok) override;
  void OnCancel() override;
  void OnDone() override;
  // With the lock held: what OnEnd() registered, to be run after unlocking.
  [[nodiscard]] std::function<void()> EndLocked(const std::optional<Error>& error);
  [[nodiscard]] std::function<void()> CompleteLocked();
  void StartNextLocked();
  void ResetAfterLinger();

  const Method& method_;
  grpc::CallbackServerContext* const context_;  // null after OnDone
  const std::size_t queue_limit_;
  std::shared_ptr<CallState> state_;

  mutable std::mutex mutex_;
  std::deque<std::shared_ptr<const Message>> queue_;  // the front is in flight if writing_
  bool writing_ = false;
  bool completing_ = false;  // Finish(OK) when the queue is empty
  bool ended_ = false;       // Finish was called
  bool done_ = false;        // OnDone was called: gRPC is through with us
  std::function<void()> on_end_;
  std::unique_ptr<grpc::Alarm> linger_;
  std::shared_ptr<EventStream> self_;  // until OnDone
};

// ---- implementation ----

template <typename Message>
std::shared_ptr<EventStream<Message>> EventStream<Message>::Open(
    const Method& method, grpc::CallbackServerContext* context, std::size_t queue_limit) {
  auto stream = std::make_shared<EventStream>(method, context, queue_limit);
  stream->self_ = stream;
  return stream;
}

template <typename Message>
EventStream<Message>::EventStream(const Method& method, grpc::CallbackServerContext* context,
                                  std::size_t queue_limit)
    : method_(method),
      context_(context),
      queue_limit_(queue_limit),
      state_(std::make_shared<CallState>(method, *method.runtime->time)) {}

template <typename Message>
Result<Call> EventStream<Message>::Admit(std::size_t request_bytes) {
  if (Status admitted = state_->Admit(*context_, request_bytes); !admitted) {
    return std::move(admitted).error();
  }
  method_.runtime->drain->Join(self_);
  return Call(state_);
}

template <typename Message>
bool EventStream<Message>::Publish(std::shared_ptr<const Message> message) {
  std::function<void()> on_end;
  bool accepted = false;
  {
    const std::lock_guard lock(mutex_);
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

template <typename Message>
void EventStream<Message>::StartNextLocked() {
  writing_ = true;
  // gRPC never runs a reaction inside the call that starts an operation, so the lock may be held.
  this->StartWrite(queue_.front().get());
}

template <typename Message>
void EventStream<Message>::OnWriteDone(bool ok) {
  std::function<void()> on_end;
  {
    const std::lock_guard lock(mutex_);
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

template <typename Message>
void EventStream<Message>::Complete() {
  std::function<void()> on_end;
  {
    const std::lock_guard lock(mutex_);
    if (ended_ || completing_) return;
    completing_ = true;
    if (!writing_) on_end = EndLocked(std::nullopt);
  }
  if (on_end) on_end();
}

template <typename Message>
void EventStream<Message>::Fail(Error error) {
  std::function<void()> on_end;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    on_end = EndLocked(error);
  }
  if (on_end) on_end();
}

template <typename Message>
std::function<void()> EventStream<Message>::EndLocked(const std::optional<Error>& error) {
  ended_ = true;
  // The message in flight must stay; everything behind it is dropped.
  queue_.resize(writing_ ? 1 : 0);
  state_->Finished(error ? error->code() : Code::kOk, error ? &error->reason() : nullptr);
  this->Finish(error ? ToGrpcStatus(*error) : grpc::Status::OK);
  if (writing_) ResetAfterLinger();
  return std::exchange(on_end_, nullptr);
}

template <typename Message>
void EventStream<Message>::ResetAfterLinger() {
  linger_ = std::make_unique<grpc::Alarm>();
  linger_->Set(std::chrono::system_clock::now() + method_.runtime->ended_stream_linger,
               [weak = std::weak_ptr<EventStream>(self_)](bool fired) {
                 if (!fired) return;
                 const std::shared_ptr<EventStream> stream = weak.lock();
                 if (stream == nullptr) return;
                 const std::lock_guard lock(stream->mutex_);
                 if (!stream->done_) stream->context_->TryCancel();
               });
}

template <typename Message>
void EventStream<Message>::OnCancel() {
  state_->SetCancelled();
  Fail(Error(kCallCancelled, "the client went away"));
}

template <typename Message>
void EventStream<Message>::OnDone() {
  method_.runtime->drain->Leave(this);
  std::shared_ptr<EventStream> self;  // destroyed after the lock is released
  std::unique_ptr<grpc::Alarm> linger;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
    queue_.clear();
    linger = std::move(linger_);
    self = std::move(self_);
  }
}

template <typename Message>
void EventStream<Message>::OnEnd(std::function<void()> fn) {
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
      on_end_ = std::move(fn);
      return;
    }
  }
  fn();
}

template <typename Message>
bool EventStream<Message>::Ended() const {
  const std::lock_guard lock(mutex_);
  return ended_ || completing_;
}

template <typename Message>
std::size_t EventStream<Message>::Queued() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

}  // namespace komadai::rpc
