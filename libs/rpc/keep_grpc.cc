#include "libs/rpc/keep_grpc.h"

#include <grpc/grpc.h>

namespace komadai::rpc {

void KeepGrpc() {
  [[maybe_unused]] static const bool initialised = [] {
    grpc_init();  // never followed by grpc_shutdown()
    return true;
  }();
}

}  // namespace komadai::rpc
