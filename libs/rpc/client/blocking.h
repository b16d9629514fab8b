// Blocking calls of any method of the contracts, for programs without coroutines: the command line,
// tests. Not for servers: a call holds its thread.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>
#include <grpcpp/support/status.h>

#include <memory>

namespace google::protobuf {
class Message;
}

namespace komadai::rpc {

// Calls the method that takes `request`. Aborts if that method does not answer with `response`.
grpc::Status BlockingCall(const std::shared_ptr<grpc::Channel>& channel,
                          grpc::ClientContext& context, const google::protobuf::Message& request,
                          google::protobuf::Message& response);

// The messages of a server stream, one after another. `context` must outlive it.
class BlockingStream {
 public:
  BlockingStream(std::shared_ptr<grpc::Channel> channel, grpc::ClientContext& context,
                 const google::protobuf::Message& request);
  ~BlockingStream();
  BlockingStream(const BlockingStream&) = delete;
  BlockingStream& operator=(const BlockingStream&) = delete;

  // False when the stream has ended: Finish() says why.
  bool Read(google::protobuf::Message& message);
  grpc::Status Finish();

 private:
  struct Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace komadai::rpc
