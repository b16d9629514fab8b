#include "libs/testing/free_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "libs/base/check.h"

namespace komadai::testing {
namespace {

constexpr int kFirst = 20000;
constexpr int kCount = 12000;  // up to 31999: outgoing connections start at 32768

bool CanListen(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound = ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
                     ::listen(fd, 1) == 0;
  ::close(fd);
  return bound;
}

}  // namespace

int FreeFixedPort() {
  // Different processes start at different places, and no process gives a port out twice.
  static std::atomic<int> next{static_cast<int>(::getpid()) * 37};
  for (int attempt = 0; attempt < kCount; ++attempt) {
    const int port = kFirst + next.fetch_add(1) % kCount;
    if (CanListen(port)) return port;
  }
  KOMADAI_CHECK(!"there is a free port");
  return 0;
}

}  // namespace komadai::testing
