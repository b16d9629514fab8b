// Session: keeps one connection to Redis alive: connects, introduces itself (AUTH, SELECT, ROLE and
// what the owner adds), and connects again with growing pauses after a loss. Private to libs/redis.
//
// Used on the loop thread only, except for construction.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"
#include "libs/redis/connection.h"
#include "libs/redis/options.h"
#include "libs/redis/reply.h"

namespace komadai::redis {

using Arguments = std::vector<std::string>;

// A command in Redis' protocol; arguments may be any bytes.
std::string Format(std::span<const std::string_view> arguments);
std::string Format(const Arguments& arguments);

class Session final : private Connection::Owner {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    // Commands may be sent from now on.
    virtual void OnUp() = 0;
    virtual void OnReply(Reply reply) = 0;
    // Bytes sent as Send counted them were handed over up to `written`.
    virtual void OnDown(const std::string& why, std::uint64_t written) = 0;
    // The reply to one of the owner's own introductions; an error ends the connection.
    virtual Status OnIntroduction(std::size_t index, const Reply& reply) = 0;
  };

  // `introductions` are sent on every new connection, before OnUp.
  Session(EventLoop& loop, Options options, std::vector<Arguments> introductions, Owner& owner);
  ~Session() override;

  void Start();
  void Stop();
  bool up() const { return up_; }
  // Appends a command; returns the position of its last byte in the count of OnDown. Only while up.
  std::uint64_t Send(std::string_view formatted);
  void Flush();
  // Drops the connection (within OnReply: soon after it).
  void Drop(std::string why);

 private:
  void Connect();
  void Introduce();
  Status CheckIntroduction(const Reply& reply);
  void ConnectLater();
  void BecomeUp();

  void OnConnected() override;
  void OnReply(Reply reply) override;
  void OnClosed(const std::string& why) override;

  EventLoop& loop_;
  const Options options_;
  const std::vector<Arguments> own_introductions_;
  Owner& owner_;
  SystemRandom random_;
  std::unique_ptr<Connection> connection_;
  std::vector<Arguments> introductions_;  // all of them
  std::size_t introduced_ = 0;
  bool running_ = false;
  bool up_ = false;
  std::chrono::milliseconds backoff_;
  void StopTimer(std::optional<EventLoop::TimerId>& timer);

  std::optional<EventLoop::TimerId> connect_timer_;  // the connect timeout, or the next attempt
  std::optional<EventLoop::TimerId> drop_timer_;     // a Drop that is due
};

}  // namespace komadai::redis
