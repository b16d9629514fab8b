// The network address a call comes from, for limits; never for identity.
#pragma once

#include <string>
#include <string_view>

namespace komadai::rpc {

// The address behind gRPC's name of a peer ("ipv4:192.0.2.1:5000", "ipv6:%5B2001:db8::1%5D:5000"):
// without the port, IPv6 by its /64 network, which is what one subscriber has. Empty for peers
// without a network address (in process, unix sockets): those are not limited.
std::string AddressOfPeer(std::string_view peer);

// The address that the outermost of `proxies` trusted proxies saw, from an x-forwarded-for header
// to which each of them appended the address it saw: the `proxies`-th from the right, so that what
// a client writes there itself is never looked at. Empty if the header has fewer.
std::string ForwardedAddress(std::string_view header, int proxies);

}  // namespace komadai::rpc
