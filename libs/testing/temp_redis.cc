#include "libs/testing/temp_redis.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

namespace komadai::testing {
namespace {

constexpr std::chrono::seconds kRedisPatience{60};
constexpr int kAttempts = 5;  // a port may be taken between finding it free and using it

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

int FreePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof address;
  const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  ::close(fd);
  return bound ? ntohs(address.sin_port) : 0;
}

int Connect(const std::string& socket_path, int port) {
  const int family = port != 0 ? AF_INET : AF_UNIX;
  const int fd = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval timeout{1, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  int connected = 0;
  if (port != 0) {
    const sockaddr_in address = Loopback(port);
    connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  } else {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    connected = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  }
  if (connected == 0) return fd;
  ::close(fd);
  return -1;
}

// Any answer but "I am still loading" will do; a password may be needed for a better one.
bool Answers(const std::string& socket_path, int port) {
  const int fd = Connect(socket_path, port);
  if (fd < 0) return false;
  char answer[64] = {};
  const bool sent = ::send(fd, "PING\r\n", 6, MSG_NOSIGNAL) == 6;
  const ssize_t size = sent ? ::recv(fd, answer, sizeof answer - 1, 0) : -1;
  ::close(fd);
  return size > 0 && std::string_view(answer).substr(0, 8) != "-LOADING";
}

}  // namespace

Result<std::unique_ptr<TempRedis>> TempRedis::Start(Options options) {
  Status status;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::unique_ptr<TempRedis> redis(new TempRedis(options));
    if (options.tcp) redis->port_ = FreePort();
    status = redis->Launch();
    if (status) return redis;
  }
  return std::move(status).error();
}

std::string TempRedis::Url() const {
  if (port_ != 0) return "redis://127.0.0.1:" + std::to_string(port_);
  return "unix://" + directory_.File("redis.sock");
}

Status TempRedis::Launch() {
  ChildProcess::Options options;
  options.command = {"redis-server",
                     "--port",
                     std::to_string(port_),
                     "--bind",
                     "127.0.0.1",
                     "--dir",
                     directory_.path(),
                     "--appendonly",
                     "yes",
                     "--appendfsync",
                     "always",
                     "--save",
                     "",
                     "--rdbcompression",
                     "no",
                     "--auto-aof-rewrite-min-size",
                     "1gb"};
  if (port_ == 0) {
    options.command.insert(options.command.end(), {"--unixsocket", directory_.File("redis.sock")});
  }
  options.command.insert(options.command.end(), options_.arguments.begin(),
                         options_.arguments.end());
  options.log_file = directory_.File("redis.log");
  options.directory = directory_.path();
  Result<std::unique_ptr<ChildProcess>> process = ChildProcess::Start(options);
  if (!process) return std::move(process).error();
  process_ = *std::move(process);
  return WaitUntilItAnswers();
}

Status TempRedis::WaitUntilItAnswers() {
  const auto deadline = std::chrono::steady_clock::now() + kRedisPatience;
  while (!Answers(directory_.File("redis.sock"), port_)) {
    if (!process_->Running()) {
      return Error(kProcessFailed, "redis-server is missing or ended at once");
    }
    if (std::chrono::steady_clock::now() > deadline) {
      return Error(kProcessFailed, "redis-server does not answer");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return {};
}

void TempRedis::Kill() {
  process_->Signal(SIGKILL);
  process_->Wait();
}

Status TempRedis::Restart() { return Launch(); }

void TempRedis::Pause() { process_->Signal(SIGSTOP); }

void TempRedis::Resume() { process_->Signal(SIGCONT); }

}  // namespace komadai::testing
