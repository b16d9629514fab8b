// ListeningSockets: the sockets behind one address to listen on.
#pragma once

#include <string>
#include <vector>

#include "libs/base/result.h"

namespace komadai::rpc {

inline constexpr Reason kListenFailed{Code::kUnavailable, "LISTEN_FAILED"};

// Bound and listening, not blocking. They are closed with the object.
class ListeningSockets {
 public:
  // `address` is HOST:PORT, [IPV6]:PORT or unix:PATH; port 0 picks a free one. A name that means
  // several addresses ("localhost") is listened to on each, and 0.0.0.0 and [::] mean IPv4 and IPv6
  // alike. LISTEN_FAILED if the address is in use or not this machine's.
  static Result<ListeningSockets> Open(const std::string& address);

  ListeningSockets(ListeningSockets&& other) noexcept;
  ListeningSockets& operator=(ListeningSockets&& other) noexcept;
  ~ListeningSockets();

  const std::vector<int>& descriptors() const { return descriptors_; }
  // The address with the port that was picked.
  const std::string& address() const { return address_; }
  void Close();

 private:
  ListeningSockets() = default;
  Status OpenUnix(const std::string& path);
  Status OpenNetwork(const std::string& host, std::uint16_t port);

  std::vector<int> descriptors_;
  std::string address_;
};

}  // namespace komadai::rpc
