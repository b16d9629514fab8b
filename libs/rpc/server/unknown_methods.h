// UnknownMethods: answers calls of methods that the server does not have, within the same limits
// and with the same metrics and log lines as all others.
#pragma once

#include <grpcpp/generic/async_generic_service.h>

#include "libs/rpc/runtime.h"
#include "libs/rpc/server/method.h"

namespace komadai::rpc {

class UnknownMethods final : public grpc::CallbackGenericService {
 public:
  // `runtime` must outlive it.
  explicit UnknownMethods(Runtime& runtime);

  grpc::ServerGenericBidiReactor* CreateReactor(
      grpc::GenericCallbackServerContext* context) override;

 private:
  class Refusal;

  Method method_;  // stands for them all: strangers must not make up series of metrics
};

}  // namespace komadai::rpc
