// Subscriber: Redis' pub/sub over a connection of its own (a subscribed connection takes no other
// commands). Subscribes again after a lost connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "libs/eventloop/event_loop.h"
#include "libs/redis/observer.h"
#include "libs/redis/options.h"
#include "libs/redis/session.h"

namespace komadai::redis {

class Subscriber final : private Session::Owner, private EventLoop::Batcher {
 public:
  // All called on the loop thread.
  struct Handlers {
    std::function<void(const std::string& channel, const std::string& payload)> on_message;
    // Messages published from now on will arrive. Called again after every new connection.
    std::function<void(const std::string& channel)> on_live;
    // Messages may be missed from now on, on all channels.
    std::function<void()> on_lost;
    // After a batch of the above.
    std::function<void()> on_batch_end;
  };

  Subscriber(std::shared_ptr<EventLoop> loop, Options options, Handlers handlers,
             Observer* observer = nullptr);
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;
  // No handler is called afterwards. Not from the loop thread.
  ~Subscriber() override;

  // Loop thread only. Repeating Subscribe makes on_live come again.
  void Subscribe(const std::string& channel);
  void Unsubscribe(const std::string& channel);

 private:
  void SendCommand(const Arguments& command);
  void SubscribeAll();
  void ArmPing();
  void Ping();

  void BeforeSleep() override;
  bool HasWork() override { return false; }
  void OnUp() override;
  void OnReply(Reply reply) override;
  void OnDown(const std::string& why, std::uint64_t written) override;
  Status OnIntroduction(std::size_t, const Reply&) override { return {}; }

  const std::shared_ptr<EventLoop> loop_;
  const Options options_;
  const Handlers handlers_;
  Observer* const observer_;
  Session session_;
  std::set<std::string> channels_;  // wanted
  bool heard_something_ = false;    // since the last ping
  std::optional<EventLoop::TimerId> ping_timer_;
};

}  // namespace komadai::redis
