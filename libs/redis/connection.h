// Connection: one non-blocking hiredis connection on an event loop. Private to libs/redis.
//
// Used on the loop thread only. It lives from Open to OnClosed, which it calls once, as the last
// thing it does: its owner may destroy it there.
#pragma once

#include <hiredis/hiredis.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "libs/eventloop/event_loop.h"
#include "libs/redis/options.h"
#include "libs/redis/reply.h"

namespace komadai::redis {

class Connection final {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void OnConnected() = 0;
    // May call Append and Fail, but must not destroy the connection.
    virtual void OnReply(Reply reply) = 0;
    virtual void OnClosed(const std::string& why) = 0;
  };

  // Starts to connect. nullptr and `why` if that fails at once.
  static std::unique_ptr<Connection> Open(EventLoop& loop, const Options& options, Owner& owner,
                                          std::string* why);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Adds a command in Redis' protocol to what Flush will send.
  void Append(std::string_view formatted);
  // Sends what the socket takes. May call OnClosed.
  void Flush();
  // Closes at the next opportunity: within OnReply, soon after it; else by the next Flush.
  void Fail(std::string why);

  // Bytes appended and bytes handed to the kernel since Open: a command whose last byte was not
  // handed over has certainly not been executed.
  std::uint64_t appended() const { return appended_; }
  std::uint64_t written() const;

 private:
  struct Free {
    void operator()(redisContext* context) const { redisFree(context); }
  };
  using Context = std::unique_ptr<redisContext, Free>;

  Connection(EventLoop& loop, Owner& owner, Context context);
  void OnReady(std::uint32_t events);
  bool FinishConnecting();
  // True if bytes may still be waiting in the socket.
  bool ReadSome();
  void DispatchReplies();
  void WantWrite(bool want);
  void Close();

  EventLoop& loop_;
  Owner& owner_;
  Context context_;
  EventLoop::WatchId watch_;
  bool connected_ = false;
  bool wants_write_ = true;
  bool failed_ = false;
  std::string why_;
  std::uint64_t appended_ = 0;
};

}  // namespace komadai::redis
