// Replicas<Service>: a service as a client with several addresses sees it. Any replica serves any
// call, so a client whose replica is down goes to another.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/rpc/error.h"
#include "tests/play/attempts.h"

namespace komadai::play {

// A channel that finds a restarted server again within half a second.
std::shared_ptr<grpc::Channel> Connect(const std::string& address);

// For one attempt.
void Prepare(grpc::ClientContext& context, const std::string& authorization, Millis timeout);

template <typename Service>
class Replicas {
 public:
  using Stub = typename Service::StubInterface;
  template <typename Request, typename Response>
  using Method = grpc::Status (Stub::*)(grpc::ClientContext*, const Request&, Response*);

  explicit Replicas(const std::vector<std::string>& addresses) {
    for (const std::string& address : addresses) {
      stubs_.push_back(Service::NewStub(Connect(address)));
    }
  }
  explicit Replicas(const std::shared_ptr<grpc::Channel>& only) {
    stubs_.push_back(Service::NewStub(only));
  }

  // Any number is a replica.
  Stub& at(std::size_t replica) { return *stubs_[replica % stubs_.size()]; }

  // Sends a call that may be repeated until it is answered, by whichever replica. The error is
  // final: a refusal, or the last failure when patience was out.
  template <typename Request, typename Response>
  Result<Response> Call(Method<Request, Response> method, const Request& request,
                        const std::string& authorization, Attempts& attempts) {
    for (;;) {
      Response response;
      grpc::ClientContext context;
      Prepare(context, authorization, attempts.Timeout());
      const grpc::Status status = (at(attempts.replica()).*method)(&context, request, &response);
      if (status.ok()) return response;
      Error error = rpc::FromGrpcStatus(status);
      if (!attempts.Again(error)) return error;
    }
  }

 private:
  std::vector<std::unique_ptr<Stub>> stubs_;
};

}  // namespace komadai::play
