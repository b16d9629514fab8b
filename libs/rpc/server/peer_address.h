// The network address a call comes from, for limits; never for identity.
#pragma once

#include <grpcpp/support/string_ref.h>
#include <sys/socket.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace komadai::rpc {

// The address behind gRPC's name of a peer ("ipv4:192.0.2.1:5000", "ipv6:%5B2001:db8::1%5D:5000"):
// without the port, IPv6 by its /64 network, which is what one subscriber has. Empty for peers
// without a network address (in process, unix sockets): those are not limited.
std::string AddressOfPeer(std::string_view peer);

// The same from the address of an accepted socket. Empty for unix sockets.
std::string AddressOfSocket(const sockaddr_storage& peer);

// gRPC's name of the same peer, with the brackets of IPv6 as they are: "ipv6:[2001:db8::1]:5000".
// Empty for unix sockets.
std::string PeerOfSocket(const sockaddr_storage& peer);
// The same from the name as gRPC gives it, which has them as %5B and %5D.
std::string PlainPeer(std::string peer);

// What kind of network such an address is in, for metrics: "loopback", "private", "public", or
// "none" for the empty address.
std::string_view AddressClass(std::string_view address);
const std::vector<std::string>& AddressClasses();

// The x-forwarded-for header. Several lines mean what one line with all their values means (RFC
// 9110): a client's own lines stand in front of those that proxies add. Empty if there is no line.
std::string ForwardedHeader(const std::multimap<grpc::string_ref, grpc::string_ref>& metadata);

// The address that the outermost of `proxies` trusted proxies saw, from an x-forwarded-for header
// to which each of them appended the address it saw: the `proxies`-th from the right, so that what
// a client writes there itself is never looked at. Empty if the header has fewer.
std::string ForwardedAddress(std::string_view header, int proxies);

}  // namespace komadai::rpc
