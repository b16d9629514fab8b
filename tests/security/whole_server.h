// WholeServer: all services of the project in one server on an SQLite file, and every method of
// theirs by its descriptor, so that a new method is tested without new code.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <grpcpp/grpcpp.h>

#include <memory>
#include <string>
#include <vector>

#include "libs/rpc/server/method.h"
#include "libs/rpc/testing/test_server.h"
#include "libs/testing/temp_dir.h"

namespace komadai {

// What a call came to.
struct Reply {
  grpc::Status status;
  bool answered = false;  // a message came
  std::string reason;     // of the failure; empty without one
};

class WholeServer {
 public:
  WholeServer();

  rpc::TestServer& server() { return *server_; }
  // In the order of their names.
  const std::vector<const rpc::Method*>& methods() const { return methods_; }
  static const google::protobuf::MethodDescriptor& DescriptorOf(const rpc::Method& method);
  // An empty request.
  std::unique_ptr<google::protobuf::Message> NewRequest(const rpc::Method& method);

  // Calls with any bytes for a request. Of a stream the first message is read, at most until the
  // context's deadline.
  Reply Send(const rpc::Method& method, const std::string& request,
             std::unique_ptr<grpc::ClientContext> context);

  // How many rows the store has, in all tables.
  std::int64_t Rows() const;

 private:
  Reply SendUnary(const rpc::Method& method, const grpc::ByteBuffer& request,
                  grpc::ClientContext& context);
  Reply SendStream(const rpc::Method& method, const grpc::ByteBuffer& request,
                   grpc::ClientContext& context);

  testing::TempDir dir_;
  google::protobuf::DynamicMessageFactory messages_;
  std::unique_ptr<rpc::TestServer> server_;
  std::vector<const rpc::Method*> methods_;
};

}  // namespace komadai
