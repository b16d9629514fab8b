// Ports for servers that are killed and restarted on the same address. Tests only.
#pragma once

namespace komadai::testing {

// A port of 127.0.0.1 that nobody listens on, below those that the system gives to outgoing
// connections: while its server is down, nobody's connection can take it (not even one that is
// trying to reach that server, which the system may connect to itself).
int FreeFixedPort();

}  // namespace komadai::testing
