// ChildProcess: a program spoken to in lines over its standard input and output.
//
// The child leads its own process group, which is killed as a whole; it dies with this process
// (PR_SET_PDEATHSIG); it inherits nothing but its three standard streams. What it writes to
// standard error is read and thrown away except for the last line, kept for the report of its end.
// Everything here happens on the EventLoop's thread.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/eventloop/event_loop.h"

namespace komadai::engine {

inline constexpr Reason kEngineNotStartable{Code::kUnavailable, "ENGINE_NOT_STARTABLE"};

class ChildProcess {
 public:
  // Longest accepted line: a principal variation of 246 plies needs some 1.5 KiB.
  static constexpr std::size_t kMaxLineBytes = 64 * 1024;
  // Unread input held for a child that does not read: a command is at most some 8 KiB.
  static constexpr std::size_t kMaxUnsentBytes = 1024 * 1024;

  // Output allowed before the owner says otherwise; a handshake prints some 5 KiB.
  static constexpr std::int64_t kDefaultAllowance = 4 * 1024 * 1024;

  struct Callbacks {
    std::function<void(std::string_view line)> on_line;  // without its line end
    // Called once, when the child has ended and is reaped: why, for a log line.
    std::function<void(std::string why)> on_exit;
  };

  // `argv[0]` is a path or a name looked up in PATH. Fails with kEngineNotStartable.
  static Result<std::unique_ptr<ChildProcess>> Spawn(EventLoop& loop, std::vector<std::string> argv,
                                                     Callbacks callbacks);
  // Kills the process group; no callback comes any more.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Queues one line. A child that lets more than kMaxUnsentBytes pile up is killed.
  void WriteLine(std::string_view line);
  // Kills the process group with SIGKILL; on_exit follows with `why`.
  void Kill(std::string why);
  // Bytes the child may write from now on; it is killed when it writes more.
  void AllowOutput(std::int64_t bytes) { allowance_ = bytes; }
  pid_t pid() const { return pid_; }

 private:
  struct Pipes;
  ChildProcess(EventLoop& loop, pid_t pid, Pipes& pipes, Callbacks callbacks);

  void OnOutput();
  void OnErrorOutput();
  void OnInputReady(std::uint32_t events);
  void Flush();
  bool CountOutput(ssize_t bytes);  // false when that was too much
  bool DeliverLines();              // false when this object died or began to end on the way
  void BeginExit(std::string why);
  void CloseAll();

  EventLoop& loop_;
  const pid_t pid_;
  int in_fd_, out_fd_, err_fd_;
  EventLoop::WatchId in_watch_, out_watch_, err_watch_;
  Callbacks callbacks_;
  std::string unread_;
  std::string unsent_;
  std::string last_error_line_;
  std::int64_t allowance_ = kDefaultAllowance;
  bool exiting_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace komadai::engine
