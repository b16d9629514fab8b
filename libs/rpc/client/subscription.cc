#include "libs/rpc/client/subscription.h"

#include <grpcpp/alarm.h>
#include <grpcpp/client_context.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/client_callback.h>

#include <algorithm>

#include "libs/base/mutex.h"
#include "libs/base/no_waiting.h"
#include "libs/rpc/client/client_core.h"
#include "libs/rpc/error.h"

namespace komadai::rpc {

using google::protobuf::Message;
using google::protobuf::MessageLite;

// Shared with the reader and the timer, which may outlive the Subscription by a moment.
class SubscriptionBase::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(std::shared_ptr<Client::Core> client, Hooks hooks)
      : client_(std::move(client)), hooks_(std::move(hooks)) {}

  void Connect();
  void Stop();
  void GotMessage(const Message& message);
  void Disconnected(const grpc::Status& status);

 private:
  void Idle() KOMADAI_REQUIRES(mutex_);

  const std::shared_ptr<Client::Core> client_;
  const Hooks hooks_;
  Mutex mutex_;
  CondVar idle_;
  bool active_ KOMADAI_GUARDED_BY(mutex_) = false;  // a reader or a timer will call back
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  Millis delay_ KOMADAI_GUARDED_BY(mutex_) = kMinReconnectDelay;
  std::shared_ptr<grpc::ClientContext> context_ KOMADAI_GUARDED_BY(mutex_);
  std::unique_ptr<grpc::Alarm> alarm_ KOMADAI_GUARDED_BY(mutex_);
};

// One connection; deletes itself when gRPC is through with it.
class SubscriptionBase::Reader final : public grpc::ClientReadReactor<MessageLite> {
 public:
  Reader(std::shared_ptr<Core> core, std::shared_ptr<grpc::ClientContext> context,
         std::unique_ptr<Message> request, std::unique_ptr<Message> message)
      : core_(std::move(core)),
        context_(std::move(context)),
        request_(std::move(request)),
        message_(std::move(message)) {}

  void Begin(Client::Core& client) {
    const OutgoingRpc& rpc = client.RpcOf(request_->GetDescriptor(), message_->GetDescriptor());
    const MessageLite* request = request_.get();
    grpc::internal::ClientCallbackReaderFactory<MessageLite>::Create(rpc.channel.get(), rpc.method,
                                                                     context_.get(), request, this);
    StartRead(message_.get());
    StartCall();
  }

 private:
  void OnReadDone(bool ok) override {
    const NoWaiting here;
    if (!ok) return;
    core_->GotMessage(*message_);
    StartRead(message_.get());
  }
  void OnDone(const grpc::Status& status) override {
    const NoWaiting here;
    const std::shared_ptr<Core> core = std::move(core_);
    delete this;
    core->Disconnected(status);
  }

  std::shared_ptr<Core> core_;
  const std::shared_ptr<grpc::ClientContext> context_;
  const std::unique_ptr<Message> request_;
  const std::unique_ptr<Message> message_;
};

void SubscriptionBase::Core::Connect() {
  std::shared_ptr<grpc::ClientContext> context;
  {
    const MutexLock lock(mutex_);
    if (stopping_) return Idle();
    active_ = true;
    context = context_ = client_->NewStreamContext();
  }
  auto* reader =
      new Reader(shared_from_this(), std::move(context), hooks_.request(), hooks_.new_message());
  reader->Begin(*client_);
}

void SubscriptionBase::Core::GotMessage(const Message& message) {
  {
    const MutexLock lock(mutex_);
    delay_ = kMinReconnectDelay;
    if (stopping_) return;
  }
  hooks_.on_message(message);
}

void SubscriptionBase::Core::Disconnected(const grpc::Status& status) {
  bool stopping = false;
  {
    const MutexLock lock(mutex_);
    stopping = stopping_;
  }
  if (!stopping && hooks_.on_disconnect) {
    hooks_.on_disconnect(status.ok() ? Error(kUnavailable, "the stream was completed")
                                     : FromGrpcStatus(status));
  }
  const MutexLock lock(mutex_);
  if (stopping_) return Idle();
  context_ = nullptr;
  const Millis delay = client_->Jittered(delay_);
  delay_ = std::min(delay_ * 2, kMaxReconnectDelay);
  alarm_ = std::make_unique<grpc::Alarm>();
  alarm_->Set(std::chrono::system_clock::now() + delay, [self = shared_from_this()](bool) {
    const NoWaiting here;
    self->Connect();
  });
}

void SubscriptionBase::Core::Idle() {
  active_ = false;
  idle_.NotifyAll();
}

void SubscriptionBase::Core::Stop() {
  // Its callback owns this object: break the circle, after the lock is released.
  std::unique_ptr<grpc::Alarm> alarm;
  MutexLock lock(mutex_);
  stopping_ = true;
  if (context_ != nullptr) context_->TryCancel();
  if (alarm_ != nullptr) alarm_->Cancel();
  while (active_) idle_.Wait(lock);
  alarm = std::move(alarm_);
}

SubscriptionBase::SubscriptionBase(const Client& client, Hooks hooks)
    : core_(std::make_shared<Core>(client.core(), std::move(hooks))) {
  core_->Connect();
}

SubscriptionBase::~SubscriptionBase() { core_->Stop(); }

}  // namespace komadai::rpc
