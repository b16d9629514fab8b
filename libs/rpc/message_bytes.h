// Messages as gRPC carries them. Internal to the machinery.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/support/byte_buffer.h>

namespace komadai::rpc {

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message);
// False if the bytes are no such message.
bool FromBytes(grpc::ByteBuffer& bytes, google::protobuf::MessageLite& message);

}  // namespace komadai::rpc
