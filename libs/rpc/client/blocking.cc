#include "libs/rpc/client/blocking.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/impl/rpc_method.h>
#include <grpcpp/support/sync_stream.h>

#include <string>
#include <utility>

#include "libs/base/check.h"
#include "libs/base/no_waiting.h"
#include "libs/rpc/contract.h"

namespace komadai::rpc {

using google::protobuf::Message;
using google::protobuf::MessageLite;
using grpc::internal::RpcMethod;

grpc::Status BlockingCall(const std::shared_ptr<grpc::Channel>& channel,
                          grpc::ClientContext& context, const Message& request, Message& response) {
  NoWaiting::Check();
  const google::protobuf::MethodDescriptor& method = MethodTaking(request.GetDescriptor());
  KOMADAI_CHECK(method.output_type() == response.GetDescriptor());
  const std::string path = PathOf(method);
  const RpcMethod rpc(path.c_str(), RpcMethod::NORMAL_RPC);
  return grpc::internal::BlockingUnaryCall<MessageLite, MessageLite>(channel.get(), rpc, &context,
                                                                     request, &response);
}

struct BlockingStream::Reader {
  std::shared_ptr<grpc::Channel> channel;
  std::string path;
  std::unique_ptr<grpc::ClientReader<MessageLite>> reads;
};

BlockingStream::BlockingStream(std::shared_ptr<grpc::Channel> channel, grpc::ClientContext& context,
                               const Message& request)
    : reader_(new Reader{std::move(channel), PathOf(MethodTaking(request.GetDescriptor())), {}}) {
  const RpcMethod rpc(reader_->path.c_str(), RpcMethod::SERVER_STREAMING);
  const MessageLite& untyped = request;
  reader_->reads.reset(grpc::internal::ClientReaderFactory<MessageLite>::Create(
      reader_->channel.get(), rpc, &context, untyped));
}

BlockingStream::~BlockingStream() = default;

bool BlockingStream::Read(Message& message) {
  NoWaiting::Check();
  return reader_->reads->Read(&message);
}

grpc::Status BlockingStream::Finish() {
  NoWaiting::Check();
  return reader_->reads->Finish();
}

}  // namespace komadai::rpc
