// Connects a SubscriptionHub to Redis' pub/sub. Private to libs/livestore.
#pragma once

#include <memory>
#include <string>

#include "libs/livestore/redis_live_store.h"
#include "libs/redis/subscriber.h"

namespace komadai::livestore {

class RedisLiveStore::PubSub : public std::enable_shared_from_this<RedisLiveStore::PubSub> {
 public:
  explicit PubSub(std::shared_ptr<EventLoop> loop) : loop_(std::move(loop)) {}

  void Start(const redis::Options& options, redis::Observer* observer);
  // No handler is called afterwards. Not from the loop thread.
  void Stop();
  std::unique_ptr<Subscription> Add(std::string topic, NotificationHandler handler);

 private:
  // Subscribes or unsubscribes as the hub says now. Loop thread.
  void Reconcile(const std::string& topic);
  void OnMessage(const std::string& topic, const std::string& payload);

  const std::weak_ptr<EventLoop> loop_;
  const std::shared_ptr<SubscriptionHub> hub_ =
      std::make_shared<SubscriptionHub>(SubscriptionHub::Liveness::kWhenTold);
  std::unique_ptr<redis::Subscriber> subscriber_;  // changed on the loop thread
};

}  // namespace komadai::livestore
