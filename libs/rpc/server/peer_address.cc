#include "libs/rpc/server/peer_address.h"

#include <arpa/inet.h>

#include <algorithm>

namespace komadai::rpc {
namespace {

constexpr std::size_t kMaxAddressLength = 64;

std::string NetworkOf(std::string address) {
  in6_addr parsed{};
  if (inet_pton(AF_INET6, address.c_str(), &parsed) != 1) return address;
  if (IN6_IS_ADDR_V4MAPPED(&parsed)) {
    char text[INET_ADDRSTRLEN];
    inet_ntop(AF_INET, parsed.s6_addr + 12, text, sizeof text);
    return text;
  }
  std::fill(parsed.s6_addr + 8, parsed.s6_addr + 16, 0);
  char text[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, &parsed, text, sizeof text);
  return text;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::string AddressOfPeer(std::string_view peer) {
  constexpr std::string_view kIpv4 = "ipv4:";
  constexpr std::string_view kIpv6 = "ipv6:";
  if (peer.substr(0, kIpv4.size()) == kIpv4) {
    const std::string_view rest = peer.substr(kIpv4.size());
    return std::string(rest.substr(0, rest.rfind(':')));
  }
  if (peer.substr(0, kIpv6.size()) != kIpv6) return "";
  std::string_view rest = peer.substr(kIpv6.size());
  for (const std::string_view open : {"%5B", "%5b", "["}) {
    if (rest.substr(0, open.size()) == open) rest.remove_prefix(open.size());
  }
  return NetworkOf(std::string(rest.substr(0, rest.find_first_of("%]"))));
}

std::string ForwardedAddress(std::string_view header, int proxies) {
  for (; proxies > 1; --proxies) {
    const std::size_t comma = header.rfind(',');
    if (comma == std::string_view::npos) return "";
    header = header.substr(0, comma);
  }
  const std::size_t comma = header.rfind(',');
  const std::string_view last =
      Trimmed(comma == std::string_view::npos ? header : header.substr(comma + 1));
  if (last.size() > kMaxAddressLength) return "";
  return NetworkOf(std::string(last));
}

}  // namespace komadai::rpc
