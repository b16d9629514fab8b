// OpenConnections: how many connections are open, in all and from each network address.
//
// gRPC owns the descriptors and does not say when it closes one. An entry is therefore a descriptor
// with the identity of its socket, and Sweep() forgets those whose number is closed or stands for
// another file by now. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace komadai::rpc {

struct ConnectionLimits {
  int total = 0;        // 0: any number
  int per_address = 0;  // 0: any number
};

class OpenConnections {
 public:
  enum class Room { kFree, kNoneForAddress, kNone };

  explicit OpenConnections(const ConnectionLimits& limits) : limits_(limits) {}

  // Whether one more from `address` may be added. The empty address (unix sockets) has no limit of
  // its own.
  Room RoomFor(const std::string& address);
  // `descriptor` is an open socket.
  void Add(int descriptor, const std::string& address, std::string peer);
  // Ends the connection of this peer; false if there is none. gRPC then closes it.
  bool Cut(const std::string& address, const std::string& peer);
  void Sweep();
  std::size_t size() const { return size_; }

 private:
  struct Connection {
    int descriptor;
    ino_t socket;
    std::string peer;
  };
  using Connections = std::vector<Connection>;

  static bool IsOpen(const Connection& connection);
  void Sweep(Connections& connections);

  const ConnectionLimits limits_;
  std::unordered_map<std::string, Connections> by_address_;  // none is empty after Sweep()
  std::size_t size_ = 0;
};

}  // namespace komadai::rpc
