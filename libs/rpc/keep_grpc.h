// KeepGrpc: keeps gRPC initialised from its first use to the end of the process.
#pragma once

namespace komadai::rpc {

// To be called before a server or channel is made. When the last channel of a process is gone, gRPC
// 1.51 shuts down in the background; a channel that is made meanwhile may crash the process.
void KeepGrpc();

}  // namespace komadai::rpc
