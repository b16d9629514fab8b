// SubscriptionHub: in-process fan-out of notifications to the subscribers of topics, in order.
//
// Publishing is split in two so that a store can fix the order under its own lock (Publish) and run
// the handlers after releasing it (Deliver). Thread-safe; shared with the subscriptions it hands
// out, which may outlive the store.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/livestore/live_store.h"

namespace komadai::livestore {

class SubscriptionHub : public std::enable_shared_from_this<SubscriptionHub> {
 public:
  // More than this many undelivered notifications (a handler is stuck): they are dropped, and every
  // subscriber is told to resync instead.
  static constexpr std::size_t kMaxPending = 65536;

  // Whether every topic is live as soon as it is subscribed to. Otherwise the owner says so with
  // Resync and Suspend.
  enum class Liveness { kAlways, kWhenTold };

  explicit SubscriptionHub(Liveness liveness) : liveness_(liveness) {}

  // The subscriber hears nothing until its kResync: queued at once if the topic is live already
  // (the caller runs Deliver), else with the topic's Resync.
  std::unique_ptr<Subscription> Add(std::string topic, NotificationHandler handler);

  // Called with a topic that gained its first or lost its last subscriber, outside all locks and
  // possibly late: look at HasSubscribers for the truth. Set before the first Add.
  void OnInterestChanged(std::function<void(const std::string& topic)> callback);

  bool HasSubscribers(const std::string& topic) const;
  std::vector<std::string> Topics() const;

  // Queues a notification for the subscribers of the topic that are live when it is delivered.
  void Publish(std::string topic, Notification notification);
  // Makes the topic live and queues kResync for its subscribers.
  void Resync(const std::string& topic);
  // Makes all topics not live: new subscribers wait for the next Resync.
  void SuspendAll();
  // Runs the handlers of what is queued. If another call is at it, on this thread or on another,
  // that one does the work and this one returns at once.
  void Deliver();

 private:
  struct Subscriber;
  class Handle;
  struct Topic {
    std::vector<std::shared_ptr<Subscriber>> subscribers;
    bool live = false;
  };
  struct Pending {
    std::string topic;
    Notification notification;
    std::shared_ptr<Subscriber> only;  // set: for this subscriber alone
  };

  void Remove(const std::shared_ptr<Subscriber>& subscriber);
  void EnqueueLocked(Pending pending) KOMADAI_REQUIRES(mutex_);
  static void Call(Subscriber& subscriber, const Notification& notification);

  const Liveness liveness_;
  mutable Mutex mutex_;
  std::unordered_map<std::string, Topic> topics_ KOMADAI_GUARDED_BY(mutex_);
  std::deque<Pending> pending_ KOMADAI_GUARDED_BY(mutex_);
  bool delivering_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::function<void(const std::string&)> interest_changed_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::livestore
