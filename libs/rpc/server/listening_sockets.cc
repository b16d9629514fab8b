#include "libs/rpc/server/listening_sockets.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <utility>

namespace komadai::rpc {
namespace {

constexpr std::string_view kUnixPrefix = "unix:";
constexpr int kReceiveBytes = 128 * 1024;
constexpr int kWaitingConnections = 4096;  // the kernel cuts it to net.core.somaxconn

using AddressList = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Error ListenError(const std::string& address, const std::string& why) {
  return Error(kListenFailed, "cannot listen on " + address + ": " + why);
}

std::string LastSystemError() { return std::strerror(errno); }

AddressList Resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list) != 0) list = nullptr;
  return {list, &freeaddrinfo};
}

void SetPort(sockaddr_storage& address, std::uint16_t port) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  }
}

std::uint16_t PortOf(int descriptor) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length) != 0) return 0;
  return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<sockaddr_in6&>(address).sin6_port
                                             : reinterpret_cast<sockaddr_in&>(address).sin_port);
}

// A listening socket, or -1 with errno. One of IPv6 takes IPv4 too if `both`.
int ListenOn(const sockaddr* address, socklen_t length, bool both) {
  const int descriptor = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -1;
  const int on = 1;
  if (address->sa_family != AF_UNIX) {
    // A restarted server takes its port although old connections linger. Two running servers
    // cannot share it: that would need SO_REUSEPORT.
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    // Accepted sockets inherit these. What waits in the kernel is read even after a connection was
    // cut, so it is not much.
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &kReceiveBytes, sizeof kReceiveBytes);
  }
  if (address->sa_family == AF_INET6) {
    const int only_ipv6 = both ? 0 : 1;
    setsockopt(descriptor, IPPROTO_IPV6, IPV6_V6ONLY, &only_ipv6, sizeof only_ipv6);
  }
  if (bind(descriptor, address, length) == 0 && listen(descriptor, kWaitingConnections) == 0) {
    return descriptor;
  }
  const int error = errno;
  close(descriptor);
  errno = error;
  return -1;
}

int ListenOnAnything(std::uint16_t port) {
  sockaddr_in6 any6{};
  any6.sin6_family = AF_INET6;
  any6.sin6_addr = in6addr_any;
  any6.sin6_port = htons(port);
  const int descriptor = ListenOn(reinterpret_cast<const sockaddr*>(&any6), sizeof any6, true);
  if (descriptor >= 0 || (errno != EAFNOSUPPORT && errno != EADDRNOTAVAIL)) return descriptor;
  sockaddr_in any4{};  // a machine without IPv6
  any4.sin_family = AF_INET;
  any4.sin_addr.s_addr = htonl(INADDR_ANY);
  any4.sin_port = htons(port);
  return ListenOn(reinterpret_cast<const sockaddr*>(&any4), sizeof any4, false);
}

bool SomebodyServes(const sockaddr_un& address) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return false;
  const int status =
      connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const bool serves = status == 0 || errno == EAGAIN;  // EAGAIN: its queue is full
  close(descriptor);
  return serves;
}

}  // namespace

Result<ListeningSockets> ListeningSockets::Open(const std::string& address) {
  ListeningSockets sockets;
  if (address.rfind(kUnixPrefix, 0) == 0) {
    if (Status opened = sockets.OpenUnix(address.substr(kUnixPrefix.size())); !opened) {
      return std::move(opened).error();
    }
    sockets.address_ = address;
    return sockets;
  }
  const std::size_t colon = address.rfind(':');
  std::uint16_t port = 0;
  const char* end = address.data() + address.size();
  if (colon == std::string::npos ||
      std::from_chars(address.data() + colon + 1, end, port).ptr != end) {
    return ListenError(address, "it is not HOST:PORT");
  }
  std::string host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  if (Status opened = sockets.OpenNetwork(host, port); !opened) return std::move(opened).error();
  sockets.address_ =
      address.substr(0, colon + 1) + std::to_string(PortOf(sockets.descriptors_.front()));
  return sockets;
}

Status ListeningSockets::OpenUnix(const std::string& given) {
  const std::string address = std::string(kUnixPrefix) + given;
  // unix:///run/x and unix:/run/x are the same.
  const std::string path = given.rfind("//", 0) == 0 ? given.substr(2) : given;
  sockaddr_un where{};
  where.sun_family = AF_UNIX;
  if (path.size() >= sizeof where.sun_path) return ListenError(address, "the path is too long");
  std::memcpy(where.sun_path, path.data(), path.size());
  if (SomebodyServes(where)) return ListenError(address, "another server serves it");
  // What an earlier server left behind. Anything but a socket stays and makes bind fail.
  struct stat file {};
  if (lstat(path.c_str(), &file) == 0 && S_ISSOCK(file.st_mode)) unlink(path.c_str());
  const int descriptor = ListenOn(reinterpret_cast<const sockaddr*>(&where), sizeof where, false);
  if (descriptor < 0) return ListenError(address, LastSystemError());
  descriptors_.push_back(descriptor);
  return {};
}

Status ListeningSockets::OpenNetwork(const std::string& host, std::uint16_t port) {
  const std::string address = host + ":" + std::to_string(port);
  if (host == "0.0.0.0" || host == "::") {
    const int descriptor = ListenOnAnything(port);
    if (descriptor < 0) return ListenError(address, LastSystemError());
    descriptors_.push_back(descriptor);
    return {};
  }
  const AddressList list = Resolve(host, port);
  std::string why = "no such host";
  for (const addrinfo* entry = list.get(); entry != nullptr; entry = entry->ai_next) {
    if (entry->ai_family != AF_INET && entry->ai_family != AF_INET6) continue;
    sockaddr_storage where{};
    std::memcpy(&where, entry->ai_addr, entry->ai_addrlen);
    // With port 0 all addresses of a name get the port that the first one picked.
    SetPort(where, descriptors_.empty() ? port : PortOf(descriptors_.front()));
    const int descriptor =
        ListenOn(reinterpret_cast<const sockaddr*>(&where), entry->ai_addrlen, false);
    if (descriptor >= 0) {
      descriptors_.push_back(descriptor);
      continue;
    }
    why = LastSystemError();
    // "localhost" may be ::1 on a machine without IPv6. A port in use is an error on any of them.
    if (errno == EADDRINUSE) return ListenError(address, why);
  }
  return descriptors_.empty() ? Status(ListenError(address, why)) : Status();
}

ListeningSockets::ListeningSockets(ListeningSockets&& other) noexcept
    : descriptors_(std::exchange(other.descriptors_, {})), address_(std::move(other.address_)) {}

ListeningSockets& ListeningSockets::operator=(ListeningSockets&& other) noexcept {
  if (this != &other) {
    Close();
    descriptors_ = std::exchange(other.descriptors_, {});
    address_ = std::move(other.address_);
  }
  return *this;
}

ListeningSockets::~ListeningSockets() { Close(); }

void ListeningSockets::Close() {
  for (const int descriptor : descriptors_) close(descriptor);
  descriptors_.clear();
}

}  // namespace komadai::rpc
