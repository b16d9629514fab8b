// The service on a real gRPC server, for its tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "komadai/rules/v1/rules.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/testing/test_server.h"
#include "services/rules/bind.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;
namespace common_pb = ::komadai::common::v1;
using Stub = pb::RulesService::Stub;

class RulesFixture : public testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = new rpc::TestServer({RulesComponent()}); }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }

  // The answer, or the reason of the failure in `reason`.
  template <typename Request, typename Response>
  Response Call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                const Request& request, std::string* reason = nullptr,
                std::string* field = nullptr) {
    const auto context = server_->AnonymousContext();
    Response response;
    const grpc::Status status = ((*stub_).*method)(context.get(), request, &response);
    if (status.ok()) {
      if (reason != nullptr) *reason = "OK";
      return response;
    }
    const Error error = rpc::FromGrpcStatus(status);
    if (reason == nullptr) {
      ADD_FAILURE() << error.ToString();
      return response;
    }
    *reason = error.reason();
    const auto found = error.metadata().find(rpc::kField);
    if (field != nullptr) *field = found == error.metadata().end() ? "" : found->second;
    return response;
  }

  static inline rpc::TestServer* server_ = nullptr;
  std::unique_ptr<Stub> stub_ = server_->Stub<pb::RulesService>();
};

}  // namespace komadai::rules_service
