#include "services/engine/process/child_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/time.h"
#include "libs/process/spawn.h"

namespace komadai::engine {

namespace {

// One read per readiness event, so that a flooding child cannot keep the loop from the others.
constexpr std::size_t kReadBytes = 64 * 1024;
constexpr std::size_t kKeptErrorBytes = 512;
constexpr Millis kReapPoll{10};

// Both ends close-on-exec, and numbered above the standard streams even if this process runs with
// those closed: nothing that it prints may get into a pipe.
bool MakePipe(std::array<int, 2>& ends) {
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  for (int& fd : ends) {
    if (fd > 2) continue;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    close(fd);
    fd = moved;
  }
  return ends[0] >= 0 && ends[1] >= 0;
}

void MakeNonBlocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

void CloseIfOpen(int& fd) {
  if (fd >= 0) close(std::exchange(fd, -1));
}

std::string DescribeStatus(int status) {
  if (WIFEXITED(status)) return "exited with status " + std::to_string(WEXITSTATUS(status));
  if (WIFSIGNALED(status)) return "killed by signal " + std::to_string(WTERMSIG(status));
  return "ended";
}

// Polls until the child is reaped. It has been sent SIGKILL, so this is a matter of milliseconds;
// polling instead of waiting keeps the loop free even if the kernel takes its time.
void ReapThen(EventLoop& loop, pid_t pid, std::function<void(std::string)> done) {
  int status = 0;
  const pid_t reaped = waitpid(pid, &status, WNOHANG);
  if (reaped == 0 || (reaped < 0 && errno == EINTR)) {
    loop.After(kReapPoll, [&loop, pid, done = std::move(done)]() mutable {
      ReapThen(loop, pid, std::move(done));
    });
    return;
  }
  done(reaped == pid ? DescribeStatus(status) : "ended");
}

}  // namespace

struct ChildProcess::Pipes {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  std::array<int, 2> err{-1, -1};
  ~Pipes() {
    for (auto* pipe : {&in, &out, &err}) {
      for (int& fd : *pipe) CloseIfOpen(fd);
    }
  }
};

Result<std::unique_ptr<ChildProcess>> ChildProcess::Spawn(EventLoop& loop,
                                                          std::vector<std::string> argv,
                                                          Callbacks callbacks) {
  KOMADAI_CHECK(loop.OnLoopThread() && !argv.empty());
  Pipes pipes;
  if (!MakePipe(pipes.in) || !MakePipe(pipes.out) || !MakePipe(pipes.err)) {
    return Error{kEngineNotStartable, std::string("cannot create a pipe: ") + std::strerror(errno)};
  }
  process::SpawnOptions options;
  options.command = std::move(argv);
  options.in_fd = pipes.in[0];
  options.out_fd = pipes.out[1];
  options.err_fd = pipes.err[1];
  const Result<pid_t> pid = process::Spawn(options);
  if (!pid) {
    return Error{kEngineNotStartable, pid.error().message(), pid.error().metadata()};
  }
  return std::unique_ptr<ChildProcess>(new ChildProcess(loop, *pid, pipes, std::move(callbacks)));
}

ChildProcess::ChildProcess(EventLoop& loop, pid_t pid, Pipes& pipes, Callbacks callbacks)
    : loop_(loop),
      pid_(pid),
      in_fd_(std::exchange(pipes.in[1], -1)),
      out_fd_(std::exchange(pipes.out[0], -1)),
      err_fd_(std::exchange(pipes.err[0], -1)),
      callbacks_(std::move(callbacks)) {
  for (const int fd : {in_fd_, out_fd_, err_fd_}) MakeNonBlocking(fd);
  in_watch_ = loop_.Watch(in_fd_, 0, [this](std::uint32_t events) { OnInputReady(events); });
  out_watch_ = loop_.Watch(out_fd_, EPOLLIN, [this](std::uint32_t) { OnOutput(); });
  err_watch_ = loop_.Watch(err_fd_, EPOLLIN, [this](std::uint32_t) { OnErrorOutput(); });
}

ChildProcess::~ChildProcess() {
  *alive_ = false;
  if (exiting_) return;
  CloseAll();
  kill(-pid_, SIGKILL);
  ReapThen(loop_, pid_, [](const std::string&) {});
}

void ChildProcess::WriteLine(std::string_view line) {
  if (exiting_) return;
  unsent_.append(line);
  unsent_ += '\n';
  Flush();
}

void ChildProcess::OnInputReady(std::uint32_t events) {
  // The child closed its input. If it ended, the end of its output says so and lets the last lines
  // be read first; if it lives on deaf, its owner's watchdog decides.
  if (events & EPOLLERR) {
    loop_.Unwatch(in_watch_);
    return;
  }
  Flush();
}

void ChildProcess::Flush() {
  bool blocked = false;
  while (!unsent_.empty() && !blocked) {
    const ssize_t written = write(in_fd_, unsent_.data(), unsent_.size());
    if (written >= 0) {
      unsent_.erase(0, static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      blocked = true;
    } else if (errno != EINTR) {
      unsent_.clear();  // EPIPE: see OnInputReady
    }
  }
  if (unsent_.size() > kMaxUnsentBytes) {
    Kill("does not read its input");
  } else {
    loop_.Rewatch(in_watch_, blocked ? std::uint32_t{EPOLLOUT} : 0);
  }
}

void ChildProcess::OnOutput() {
  std::array<char, kReadBytes> buffer;
  const ssize_t count = read(out_fd_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    BeginExit("");
    return;
  }
  unread_.append(buffer.data(), static_cast<std::size_t>(count));
  if (!CountOutput(count)) return;
  if (DeliverLines() && unread_.size() > kMaxLineBytes) Kill("sent a line without an end");
}

bool ChildProcess::CountOutput(ssize_t bytes) {
  allowance_ -= bytes;
  if (allowance_ < 0) Kill("floods its output");
  return !exiting_;
}

bool ChildProcess::DeliverLines() {
  const std::shared_ptr<bool> alive = alive_;
  const auto on_line = callbacks_.on_line;  // a copy: the callback may destroy this object
  const std::string text = std::exchange(unread_, {});
  std::size_t start = 0;
  for (std::size_t end; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    std::string_view line(text.data() + start, end - start);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    on_line(line);
    if (!*alive || exiting_) return false;
  }
  unread_ = text.substr(start);
  return true;
}

void ChildProcess::OnErrorOutput() {
  std::array<char, 4096> buffer;
  const ssize_t count = read(err_fd_, buffer.data(), buffer.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) {
    loop_.Unwatch(err_watch_);  // closing standard error is no end
    return;
  }
  if (!CountOutput(count)) return;
  last_error_line_.append(buffer.data(), static_cast<std::size_t>(count));
  if (last_error_line_.size() > kKeptErrorBytes) {
    last_error_line_.erase(0, last_error_line_.size() - kKeptErrorBytes);
  }
}

void ChildProcess::Kill(std::string why) { BeginExit(std::move(why)); }

void ChildProcess::BeginExit(std::string why) {
  if (exiting_) return;
  exiting_ = true;
  CloseAll();
  // Also after the child closed its own output: its group may have other members. The status
  // of a process that is already exiting is not changed by this.
  kill(-pid_, SIGKILL);
  while (!last_error_line_.empty() && last_error_line_.back() == '\n') last_error_line_.pop_back();
  last_error_line_.erase(0, last_error_line_.find_last_of('\n') + 1);
  auto report = [this, alive = alive_, why = std::move(why)](const std::string& status) {
    if (!*alive) return;
    std::string text = why.empty() ? status : why;
    if (!last_error_line_.empty()) text += " (stderr: " + last_error_line_ + ")";
    const auto on_exit = std::move(callbacks_.on_exit);  // may destroy this object
    on_exit(std::move(text));
  };
  // Never from within this call: the owner may be in the middle of WriteLine().
  loop_.After(Millis(0), [&loop = loop_, pid = pid_, report = std::move(report)]() mutable {
    ReapThen(loop, pid, std::move(report));
  });
}

void ChildProcess::CloseAll() {
  loop_.Unwatch(in_watch_);
  loop_.Unwatch(out_watch_);
  loop_.Unwatch(err_watch_);
  CloseIfOpen(in_fd_);
  CloseIfOpen(out_fd_);
  CloseIfOpen(err_fd_);
}

}  // namespace komadai::engine
