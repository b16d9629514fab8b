// Ports for servers that are killed and restarted on the same address. Tests only.
#pragma once

namespace komadai::testing {

// A free port of 127.0.0.1, below those that the system gives to outgoing connections: while its
// server is down, no connection can take it (not even one that is trying to reach that server,
// which the system may connect to itself).
int FreeFixedPort();

}  // namespace komadai::testing
