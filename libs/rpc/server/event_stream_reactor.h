// gRPC's side of an EventStream. Internal to the machinery.
#pragma once

#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <optional>

#include "libs/rpc/server/event_stream.h"
#include "libs/rpc/server/request_reactor.h"

namespace komadai::rpc {

class EventStreamBase::Reactor final : public RequestReactor {
 public:
  Reactor(EventStreamBase& stream, std::shared_ptr<CallState> state,
          grpc::CallbackServerContext& context);

  using RequestReactor::AwaitReader;
  using RequestReactor::request;
  // One write at a time; gRPC keeps a reference to the bytes until it is done.
  void Write(const google::protobuf::MessageLite& message);

 private:
  void OnRequest(std::optional<Error> error) override;
  void OnWriteDone(bool ok) override;
  void OnClientGone() override;
  void OnEnd() override;

  EventStreamBase& stream_;
  grpc::ByteBuffer bytes_;
};

}  // namespace komadai::rpc
