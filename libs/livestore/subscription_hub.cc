#include "libs/livestore/subscription_hub.h"

#include <algorithm>

namespace komadai::livestore {

struct SubscriptionHub::Subscriber {
  std::string topic;
  NotificationHandler handler;
  // Held during a call. Recursive, because a handler may end its own subscription.
  RecursiveMutex calling;
  bool ended KOMADAI_GUARDED_BY(calling) = false;
  bool live KOMADAI_GUARDED_BY(calling) = false;
};

class SubscriptionHub::Handle final : public Subscription {
 public:
  Handle(std::shared_ptr<SubscriptionHub> hub, std::shared_ptr<Subscriber> subscriber)
      : hub_(std::move(hub)), subscriber_(std::move(subscriber)) {}
  ~Handle() override { hub_->Remove(subscriber_); }

 private:
  std::shared_ptr<SubscriptionHub> hub_;
  std::shared_ptr<Subscriber> subscriber_;
};

std::unique_ptr<Subscription> SubscriptionHub::Add(std::string topic, NotificationHandler handler) {
  auto subscriber = std::make_shared<Subscriber>();
  subscriber->topic = topic;
  subscriber->handler = std::move(handler);
  bool first = false;
  std::function<void(const std::string&)> interest_changed;
  {
    const MutexLock lock(mutex_);
    Topic& entry = topics_[topic];
    first = entry.subscribers.empty();
    entry.subscribers.push_back(subscriber);
    if (liveness_ == Liveness::kAlways) entry.live = true;
    if (entry.live) EnqueueLocked({topic, {}, subscriber});
    interest_changed = interest_changed_;
  }
  if (first && interest_changed) interest_changed(topic);
  return std::make_unique<Handle>(shared_from_this(), std::move(subscriber));
}

void SubscriptionHub::OnInterestChanged(std::function<void(const std::string& topic)> callback) {
  const MutexLock lock(mutex_);
  interest_changed_ = std::move(callback);
}

bool SubscriptionHub::HasSubscribers(const std::string& topic) const {
  const MutexLock lock(mutex_);
  return topics_.contains(topic);
}

std::vector<std::string> SubscriptionHub::Topics() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> topics;
  topics.reserve(topics_.size());
  for (const auto& [topic, entry] : topics_) topics.push_back(topic);
  return topics;
}

void SubscriptionHub::Remove(const std::shared_ptr<Subscriber>& subscriber) {
  {
    const MutexLock calling(subscriber->calling);
    subscriber->ended = true;
  }
  bool last = false;
  std::function<void(const std::string&)> interest_changed;
  {
    const MutexLock lock(mutex_);
    const auto topic = topics_.find(subscriber->topic);
    if (topic == topics_.end()) return;
    std::erase(topic->second.subscribers, subscriber);
    last = topic->second.subscribers.empty();
    if (last) topics_.erase(topic);
    interest_changed = interest_changed_;
  }
  if (last && interest_changed) interest_changed(subscriber->topic);
}

void SubscriptionHub::EnqueueLocked(Pending pending) {
  if (pending_.size() >= kMaxPending) {
    pending_.clear();
    for (const auto& [topic, entry] : topics_) pending_.push_back({topic, {}, nullptr});
    return;
  }
  pending_.push_back(std::move(pending));
}

void SubscriptionHub::Publish(std::string topic, Notification notification) {
  const MutexLock lock(mutex_);
  if (!topics_.contains(topic)) return;
  EnqueueLocked({std::move(topic), std::move(notification), nullptr});
}

void SubscriptionHub::Resync(const std::string& topic) {
  const MutexLock lock(mutex_);
  const auto entry = topics_.find(topic);
  if (entry == topics_.end()) return;
  entry->second.live = true;
  EnqueueLocked({topic, {}, nullptr});
}

void SubscriptionHub::SuspendAll() {
  const MutexLock lock(mutex_);
  for (auto& [topic, entry] : topics_) entry.live = false;
}

void SubscriptionHub::Deliver() {
  MutexLock lock(mutex_);
  if (delivering_) return;
  delivering_ = true;
  while (!pending_.empty()) {
    const Pending next = std::move(pending_.front());
    pending_.pop_front();
    std::vector<std::shared_ptr<Subscriber>> subscribers;
    if (next.only) {
      subscribers.push_back(next.only);
    } else if (const auto topic = topics_.find(next.topic); topic != topics_.end()) {
      subscribers = topic->second.subscribers;
    }
    lock.Unlock();
    for (const auto& subscriber : subscribers) Call(*subscriber, next.notification);
    lock.Lock();
  }
  delivering_ = false;
}

void SubscriptionHub::Call(Subscriber& subscriber, const Notification& notification) {
  const MutexLock calling(subscriber.calling);
  if (subscriber.ended) return;
  if (notification.kind == Notification::Kind::kResync) subscriber.live = true;
  if (subscriber.live) subscriber.handler(notification);
}

}  // namespace komadai::livestore
