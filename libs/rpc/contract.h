// The methods of the contracts by their messages: every method has a request message of its own.
#pragma once

#include <string>

namespace google::protobuf {
class Descriptor;
class MethodDescriptor;
}  // namespace google::protobuf

namespace komadai::rpc {

// The method that takes `request`. Aborts if there is none.
const google::protobuf::MethodDescriptor& MethodTaking(const google::protobuf::Descriptor* request);
// "/komadai.game.v1.GameService/PlayMove".
std::string PathOf(const google::protobuf::MethodDescriptor& method);

}  // namespace komadai::rpc
