#include "libs/rpc/server/peer_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdint>
#include <utility>

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

bool IsIn(std::uint32_t address, std::uint32_t network, int bits) {
  return (address ^ network) >> (32 - bits) == 0;
}

std::string_view ClassOfIpv4(std::uint32_t address) {
  if (IsIn(address, 0x7F000000, 8)) return "loopback";
  const bool is_private =
      IsIn(address, 0x0A000000, 8) || IsIn(address, 0xAC100000, 12) ||
      IsIn(address, 0xC0A80000, 16) ||  // RFC 1918
      IsIn(address, 0x64400000, 10) ||  // shared by the customers of a provider, RFC 6598
      IsIn(address, 0xA9FE0000, 16);    // link-local
  return is_private ? "private" : "public";
}

// Of a /64 network: that of the loopback address ::1 is all zeros.
std::string_view ClassOfIpv6(const in6_addr& network) {
  if (IN6_IS_ADDR_UNSPECIFIED(&network) || IN6_IS_ADDR_LOOPBACK(&network)) return "loopback";
  const bool is_unique_local = (network.s6_addr[0] & 0xFE) == 0xFC;
  return is_unique_local || IN6_IS_ADDR_LINKLOCAL(&network) ? "private" : "public";
}

}  // namespace

std::string AddressOfSocket(const sockaddr_storage& peer) {
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.ss_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(peer).sin_addr, text, sizeof text);
  } else if (peer.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(peer).sin6_addr, text, sizeof text);
  }
  return NetworkOf(text);
}

std::string PeerOfSocket(const sockaddr_storage& peer) {
  char text[INET6_ADDRSTRLEN] = "";
  if (peer.ss_family == AF_INET) {
    const auto& ipv4 = reinterpret_cast<const sockaddr_in&>(peer);
    inet_ntop(AF_INET, &ipv4.sin_addr, text, sizeof text);
    return std::string("ipv4:") + text + ":" + std::to_string(ntohs(ipv4.sin_port));
  }
  if (peer.ss_family != AF_INET6) return "";
  const auto& ipv6 = reinterpret_cast<const sockaddr_in6&>(peer);
  const std::string port = std::to_string(ntohs(ipv6.sin6_port));
  if (IN6_IS_ADDR_V4MAPPED(&ipv6.sin6_addr)) {
    inet_ntop(AF_INET, ipv6.sin6_addr.s6_addr + 12, text, sizeof text);
    return std::string("ipv4:") + text + ":" + port;
  }
  inet_ntop(AF_INET6, &ipv6.sin6_addr, text, sizeof text);
  return std::string("ipv6:[") + text + "]:" + port;
}

std::string PlainPeer(std::string peer) {
  for (const auto& [coded, plain] : {std::pair("%5B", "["), std::pair("%5D", "]")}) {
    if (const std::size_t at = peer.find(coded); at != std::string::npos)
      peer.replace(at, 3, plain);
  }
  return peer;
}

std::string_view AddressClass(std::string_view address) {
  if (address.empty()) return "none";
  const std::string text(address);
  in_addr ipv4{};
  if (inet_pton(AF_INET, text.c_str(), &ipv4) == 1) return ClassOfIpv4(ntohl(ipv4.s_addr));
  in6_addr ipv6{};
  return inet_pton(AF_INET6, text.c_str(), &ipv6) == 1 ? ClassOfIpv6(ipv6) : "public";
}

const std::vector<std::string>& AddressClasses() {
  static const auto& classes =
      *new std::vector<std::string>{"loopback", "private", "public", "none"};
  return classes;
}

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

std::string ForwardedHeader(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata) {
  std::string header;
  const auto [first, end] = metadata.equal_range("x-forwarded-for");
  for (auto line = first; line != end; ++line) {
    if (line != first) header += ", ";
    header.append(line->second.data(), line->second.size());
  }
  return header;
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
