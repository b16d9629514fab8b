#include "libs/rpc/contract.h"

#include <google/protobuf/descriptor.h>

#include <cstdlib>

#include "libs/base/check.h"

namespace komadai::rpc {

const google::protobuf::MethodDescriptor& MethodTaking(
    const google::protobuf::Descriptor* request) {
  const google::protobuf::FileDescriptor* file = request->file();
  for (int i = 0; i < file->service_count(); ++i) {
    const google::protobuf::ServiceDescriptor* service = file->service(i);
    for (int j = 0; j < service->method_count(); ++j) {
      if (service->method(j)->input_type() == request) return *service->method(j);
    }
  }
  KOMADAI_CHECK(!"no method takes this message");
  std::abort();
}

std::string PathOf(const google::protobuf::MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

}  // namespace komadai::rpc
