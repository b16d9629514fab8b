// Subscription: consumes a server stream of another service and reconnects for as long as it lives.
//
//   using Expiries = rpc::Subscription<WatchExpiriesRequest, WatchExpiriesResponse>;
//   expiries_ = std::make_unique<Expiries>(
//       clock_, &ClockApi::WatchExpiries,
//       Expiries::Hooks{.request = [this] { return RequestAfter(last_sequence_); },
//                       .on_message = [this](const WatchExpiriesResponse& response) { ... },
//                       .on_disconnect = [](const Error& error) { ... }});
//
// `request` is asked before each (re)connect, so that the stream resumes where it broke. Hooks run
// one at a time on gRPC threads and must not block; the next message is read when on_message
// returns, so a slow consumer slows its stream. Between attempts it waits 50 ms, doubling up to 2
// s, jittered; a message resets that. The destructor cancels and waits until no hook runs: not to
// be called from a hook.
#pragma once

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "libs/base/result.h"
#include "libs/rpc/client/client.h"
#include "libs/rpc/error.h"

namespace komadai::rpc {

inline constexpr Millis kMinReconnectDelay{50};
inline constexpr Millis kMaxReconnectDelay{2000};

template <typename Request, typename Message>
class Subscription {
 public:
  struct Hooks {
    std::function<Request()> request = {};
    std::function<void(const Message&)> on_message = {};
    std::function<void(const Error&)> on_disconnect = {};  // may be empty
  };

  // Connects at once. `client` must outlive the subscription.
  template <typename Service>
  Subscription(Client<Service>& client,
               void (Client<Service>::Api::*rpc)(grpc::ClientContext*, const Request*,
                                                 grpc::ClientReadReactor<Message>*),
               Hooks hooks)
      : core_(std::make_shared<Core>(
            client.core(), std::move(hooks),
            [&client, rpc](grpc::ClientContext* context, const Request* request,
                           grpc::ClientReadReactor<Message>* reactor) {
              (client.Stub().async()->*rpc)(context, request, reactor);
            })) {
    core_->Connect();
  }
  ~Subscription() { core_->Stop(); }
  Subscription(const Subscription&) = delete;
  Subscription& operator=(const Subscription&) = delete;

 private:
  using Open =
      std::function<void(grpc::ClientContext*, const Request*, grpc::ClientReadReactor<Message>*)>;
  class Reader;

  // Shared with the reader and the timer, which may outlive the Subscription by a moment.
  class Core : public std::enable_shared_from_this<Core> {
   public:
    Core(internal::ClientCore& client, Hooks hooks, Open open)
        : client_(client), hooks_(std::move(hooks)), open_(std::move(open)) {}

    void Connect();
    void Stop();
    void GotMessage(const Message& message);
    void Disconnected(const grpc::Status& status);

   private:
    void Idle();

    internal::ClientCore& client_;
    const Hooks hooks_;
    const Open open_;
    std::mutex mutex_;
    std::condition_variable idle_;
    bool active_ = false;  // a reader or a timer will call back
    bool stopping_ = false;
    Millis delay_ = kMinReconnectDelay;
    std::shared_ptr<grpc::ClientContext> context_;
    std::unique_ptr<grpc::Alarm> alarm_;
  };

  std::shared_ptr<Core> core_;
};

// ---- implementation ----

// One connection; deletes itself when gRPC is through with it.
template <typename Request, typename Message>
class Subscription<Request, Message>::Reader final : public grpc::ClientReadReactor<Message> {
 public:
  Reader(std::shared_ptr<Core> core, std::shared_ptr<grpc::ClientContext> context, Request request)
      : core_(std::move(core)), context_(std::move(context)), request_(std::move(request)) {}

  void Begin(const Open& open) {
    open(context_.get(), &request_, this);
    this->StartRead(&message_);
    this->StartCall();
  }

 private:
  void OnReadDone(bool ok) override {
    if (!ok) return;
    core_->GotMessage(message_);
    this->StartRead(&message_);
  }
  void OnDone(const grpc::Status& status) override {
    const std::shared_ptr<Core> core = std::move(core_);
    delete this;
    core->Disconnected(status);
  }

  std::shared_ptr<Core> core_;
  std::shared_ptr<grpc::ClientContext> context_;
  Request request_;
  Message message_;
};

template <typename Request, typename Message>
void Subscription<Request, Message>::Core::Connect() {
  std::shared_ptr<grpc::ClientContext> context;
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return Idle();
    active_ = true;
    context = context_ = client_.NewStreamContext();
  }
  auto* reader = new Reader(this->shared_from_this(), std::move(context), hooks_.request());
  reader->Begin(open_);
}

template <typename Request, typename Message>
void Subscription<Request, Message>::Core::GotMessage(const Message& message) {
  {
    const std::lock_guard lock(mutex_);
    delay_ = kMinReconnectDelay;
    if (stopping_) return;
  }
  hooks_.on_message(message);
}

template <typename Request, typename Message>
void Subscription<Request, Message>::Core::Disconnected(const grpc::Status& status) {
  bool stopping = false;
  {
    const std::lock_guard lock(mutex_);
    stopping = stopping_;
  }
  if (!stopping && hooks_.on_disconnect) {
    hooks_.on_disconnect(status.ok() ? Error(kUnavailable, "the stream was completed")
                                     : FromGrpcStatus(status));
  }
  const std::lock_guard lock(mutex_);
  if (stopping_) return Idle();
  context_ = nullptr;
  const Millis delay = client_.Jittered(delay_);
  delay_ = std::min(delay_ * 2, kMaxReconnectDelay);
  alarm_ = std::make_unique<grpc::Alarm>();
  alarm_->Set(std::chrono::system_clock::now() + delay,
              [self = this->shared_from_this()](bool) { self->Connect(); });
}

template <typename Request, typename Message>
void Subscription<Request, Message>::Core::Idle() {
  active_ = false;
  idle_.notify_all();
}

template <typename Request, typename Message>
void Subscription<Request, Message>::Core::Stop() {
  std::unique_ptr<grpc::Alarm> alarm;  // its callback owns this object: break the circle
  std::unique_lock lock(mutex_);
  stopping_ = true;
  if (context_ != nullptr) context_->TryCancel();
  if (alarm_ != nullptr) alarm_->Cancel();
  idle_.wait(lock, [this] { return !active_; });
  alarm = std::move(alarm_);
  lock.unlock();
}

}  // namespace komadai::rpc
