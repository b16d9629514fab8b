#include "libs/rpc/message_bytes.h"

#include <grpcpp/support/proto_buffer_reader.h>
#include <grpcpp/support/proto_buffer_writer.h>

#include "libs/base/check.h"

namespace komadai::rpc {

grpc::ByteBuffer ToBytes(const google::protobuf::MessageLite& message) {
  const std::size_t size = message.ByteSizeLong();
  grpc::Slice slice(size);
  message.SerializeWithCachedSizesToArray(const_cast<std::uint8_t*>(slice.begin()));
  return grpc::ByteBuffer(&slice, 1);
}

bool FromBytes(grpc::ByteBuffer& bytes, google::protobuf::MessageLite& message) {
  if (!bytes.Valid()) return false;
  grpc::ProtoBufferReader reader(&bytes);
  return reader.status().ok() && message.ParseFromZeroCopyStream(&reader);
}

}  // namespace komadai::rpc
