#include "tests/play/replicas.h"

#include <chrono>

#include "libs/rpc/keep_grpc.h"

namespace komadai::play {

std::shared_ptr<grpc::Channel> Connect(const std::string& address) {
  rpc::KeepGrpc();
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);  // also how long a connect may take
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 500);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

void Prepare(grpc::ClientContext& context, const std::string& authorization, Millis timeout) {
  context.set_deadline(std::chrono::system_clock::now() + timeout);
  if (!authorization.empty()) context.AddMetadata("authorization", authorization);
}

}  // namespace komadai::play
