// Client: asynchronous commands to Redis over one connection, pipelined by themselves.
//
// Commands may be given from any thread; what gathers while the loop thread is busy goes out in one
// write, in the order of the calls of each thread. Replies arrive on the loop thread, which their
// receivers (and the coroutines they resume) must not block.
//
// After a lost connection it connects again by itself. Failures: kUnavailable, kOverloaded: the
// command was not executed. kInDoubt: it was sent, and the connection was lost or fell silent
// before the reply. kErrorReply: Redis refused it; the message is Redis' own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/eventloop/event_loop.h"
#include "libs/redis/observer.h"
#include "libs/redis/options.h"
#include "libs/redis/reply.h"
#include "libs/redis/session.h"

namespace komadai::redis {

inline constexpr Reason kInDoubt{Code::kUnavailable, "IN_DOUBT"};
inline constexpr Reason kErrorReply{Code::kInternal, "REDIS_ERROR_REPLY"};

class Client final : private Session::Owner, private EventLoop::Batcher {
 public:
  using Done = std::function<void(Result<Reply>)>;

  // Starts to connect at once. `scripts` are Lua sources, for Eval by their index.
  Client(std::shared_ptr<EventLoop> loop, Options options, std::vector<std::string> scripts = {},
         Observer* observer = nullptr);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  // Pending commands fail. Not from the loop thread.
  ~Client() override;

  // `done` is called exactly once, on the loop thread or (a refusal) before this returns.
  void Send(const Arguments& command, Done done);
  Task<Result<Reply>> Command(Arguments command);
  // Runs a script; loads it again if the server has forgotten it.
  Task<Result<Reply>> Eval(std::size_t script, Arguments keys, Arguments arguments);

  // Commands without a reply yet.
  std::size_t pending() const { return pending_commands_; }

 private:
  struct Pending {
    std::string formatted;  // empty once sent
    std::size_t bytes = 0;
    std::uint64_t end = 0;  // position of its last byte on the connection, once sent
    EventLoop::Clock::time_point since;
    Done done;
  };

  std::string FormatEval(std::size_t script, const Arguments& keys, const Arguments& arguments,
                         bool by_source) const;
  void SendFormatted(std::string formatted, Done done);
  // The rest on the loop thread.
  void SendWaiting();
  void Complete(Pending pending, Result<Reply> result);
  Result<Reply> Interpret(Reply reply);
  void FailWaiting(EventLoop::Clock::time_point older_than, const std::string& why);
  void TakeIncoming();
  void ArmCheck();
  void Check();

  void BeforeSleep() override;
  bool HasWork() override;
  void OnUp() override;
  void OnReply(Reply reply) override;
  void OnDown(const std::string& why, std::uint64_t written) override;
  Status OnIntroduction(std::size_t index, const Reply& reply) override;

  const std::shared_ptr<EventLoop> loop_;
  const Options options_;
  const std::vector<std::string> scripts_;
  Observer* const observer_;

  std::atomic<std::size_t> pending_commands_ = 0;
  std::atomic<std::size_t> pending_bytes_ = 0;
  // The names of the scripts on the server: written once, before the flag.
  std::vector<std::string> script_hashes_;
  std::atomic<bool> scripts_known_ = false;

  Mutex mutex_;
  std::vector<Pending> incoming_ KOMADAI_GUARDED_BY(mutex_);
  bool stopped_ KOMADAI_GUARDED_BY(mutex_) = false;

  // Loop thread only:
  Session session_;
  std::deque<Pending> waiting_;  // not sent yet
  std::deque<Pending> sent_;     // in the order of the replies
  std::string last_failure_ = "not connected yet";
  // Set by a reply that says this server is of no use (READONLY, LOADING): nothing more is sent,
  // and the connection is dropped when the replies on their way have arrived.
  bool draining_ = false;
  std::optional<EventLoop::TimerId> check_timer_;
};

}  // namespace komadai::redis
