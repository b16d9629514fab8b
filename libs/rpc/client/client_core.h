// What stands behind Client and Subscription. Internal to the machinery.
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/impl/rpc_method.h>

#include <memory>
#include <string>
#include <unordered_map>

#include "libs/base/mutex.h"
#include "libs/rpc/client/client.h"
#include "libs/rpc/component.h"

namespace komadai::rpc {

// One method of the other service.
struct OutgoingRpc {
  const std::string path;  // `method` points into it
  const std::shared_ptr<grpc::Channel> channel;
  // Registered with the channel, which spares every call the sending of its name in full.
  const grpc::internal::RpcMethod method;
  const google::protobuf::Descriptor* const response;
  telemetry::Counters& handled;
  prometheus::Histogram& duration;

  OutgoingRpc(const google::protobuf::MethodDescriptor& descriptor,
              std::shared_ptr<grpc::Channel> to, telemetry::Counters& handled_calls,
              prometheus::Histogram& duration_of_calls);
  OutgoingRpc(const OutgoingRpc&) = delete;
  OutgoingRpc& operator=(const OutgoingRpc&) = delete;
};

// Thread-safe.
class Client::Core {
 public:
  Core(BindContext& context, std::string service);

  // Looked up once per method and process. Aborts if there is no such method.
  const OutgoingRpc& RpcOf(const google::protobuf::Descriptor* request,
                           const google::protobuf::Descriptor* response);
  // Null if the deadline has passed.
  std::shared_ptr<grpc::ClientContext> NewContext(const rpc::Call& call,
                                                  const CallOptions& options);
  // For a stream of this service's own: its credentials, no deadline.
  std::shared_ptr<grpc::ClientContext> NewStreamContext();
  // Between half of `delay` and all of it, so that clients of one server do not return in step.
  Millis Jittered(Millis delay);
  // Whether to try again; if so, after a pause.
  Task<bool> ShouldRetry(rpc::Call call, CallOptions options, Code code, int attempt);
  // The error of a call that failed. What gRPC itself says of a connection (addresses, ports) goes
  // to the log: the error may reach a stranger.
  Error ErrorOf(const grpc::Status& status, const OutgoingRpc& rpc, const rpc::Call& call) const;

 private:
  std::unique_ptr<OutgoingRpc> NewRpc(const google::protobuf::Descriptor* request) const;

  const std::string service_;
  Channels& channels_;
  ServiceIdentity& identity_;
  Runtime& runtime_;
  Random& random_;
  telemetry::Counters& retries_;
  SharedMutex mutex_;
  std::unordered_map<const google::protobuf::Descriptor*, std::unique_ptr<OutgoingRpc>> rpcs_
      KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rpc
