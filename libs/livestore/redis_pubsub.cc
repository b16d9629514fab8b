#include "libs/livestore/redis_pubsub.h"

#include <utility>

#include "libs/livestore/redis_protocol.h"

namespace komadai::livestore {
namespace {

// Topics are "DB{partition}e:name" or "DBkomadai:c:channel".
bool IsDocumentTopic(const std::string& topic) {
  const std::size_t behind_number = topic.find_first_not_of("0123456789");
  return behind_number != std::string::npos && topic[behind_number] == '{';
}

}  // namespace

void RedisLiveStore::PubSub::Start(const redis::Options& options, redis::Observer* observer) {
  const std::shared_ptr<EventLoop> loop = loop_.lock();
  redis::Subscriber::Handlers handlers;
  handlers.on_message = [this](const std::string& topic, const std::string& payload) {
    OnMessage(topic, payload);
  };
  handlers.on_live = [this](const std::string& topic) { hub_->Resync(topic); };
  handlers.on_lost = [this] { hub_->SuspendAll(); };
  handlers.on_batch_end = [this] { hub_->Deliver(); };
  subscriber_ = std::make_unique<redis::Subscriber>(loop, options, std::move(handlers), observer);
  hub_->OnInterestChanged([weak = weak_from_this()](const std::string& topic) {
    const auto self = weak.lock();
    const auto loop_now = self ? self->loop_.lock() : nullptr;
    if (loop_now) loop_now->Post([self, topic] { self->Reconcile(topic); });
  });
}

void RedisLiveStore::PubSub::Stop() {
  hub_->OnInterestChanged({});
  const std::shared_ptr<EventLoop> loop = loop_.lock();
  std::unique_ptr<redis::Subscriber> ending;
  loop->RunAndWait([&] { ending = std::move(subscriber_); });
  ending.reset();
}

std::unique_ptr<Subscription> RedisLiveStore::PubSub::Add(std::string topic,
                                                          NotificationHandler handler) {
  auto subscription = hub_->Add(std::move(topic), std::move(handler));
  // A topic that is live already has queued its resync: let the loop deliver it.
  if (const auto loop = loop_.lock()) loop->Post([] {});
  return subscription;
}

void RedisLiveStore::PubSub::Reconcile(const std::string& topic) {
  if (!subscriber_) return;
  if (hub_->HasSubscribers(topic)) {
    subscriber_->Subscribe(topic);
  } else {
    subscriber_->Unsubscribe(topic);
  }
}

void RedisLiveStore::PubSub::OnMessage(const std::string& topic, const std::string& payload) {
  if (!IsDocumentTopic(topic)) {
    return hub_->Publish(topic, Notification{Notification::Kind::kMessage, 0, payload});
  }
  std::optional<Notification> notification = ParseDocumentMessage(payload);
  if (!notification) return;
  if (notification->kind == Notification::Kind::kResync) return hub_->Resync(topic);
  hub_->Publish(topic, *std::move(notification));
}

}  // namespace komadai::livestore
