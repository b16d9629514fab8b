#include "cli/health.h"

#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/codegen/client_unary_call.h>

#include <chrono>
#include <cstdio>

#include "cli/connection.h"

namespace komadai::cli {
namespace {

constexpr std::chrono::seconds kPatience{3};
constexpr std::size_t kLongestName = 127;  // one byte of length in the request

// HealthCheckRequest{service = 1}: Debian ships no proto of grpc.health.v1.
std::string RequestFor(const std::string& service) {
  if (service.empty()) return "";
  return "\x0a" + std::string(1, static_cast<char>(service.size())) + service;
}

// HealthCheckResponse{status = 1}; an absent status is UNKNOWN.
const char* StatusOf(const grpc::ByteBuffer& response) {
  grpc::Slice bytes;
  if (!response.DumpToSingleSlice(&bytes).ok() || bytes.size() != 2) return "UNKNOWN";
  if (bytes.begin()[0] != 0x08) return "UNKNOWN";
  if (bytes.begin()[1] == 1) return "SERVING";
  return bytes.begin()[1] == 2 ? "NOT_SERVING" : "UNKNOWN";
}

}  // namespace

int RunHealth(const HealthOptions& options) {
  if (options.service.size() > kLongestName) {
    std::fprintf(stderr, "komadai health: the service name is too long\n");
    return 2;
  }
  const auto credentials = CredentialsFromEnvironment();
  if (!credentials) {
    std::fprintf(stderr, "komadai health: %s\n", credentials.error().message().c_str());
    return 2;
  }
  const auto channel = grpc::CreateChannel(options.target, *credentials);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + kPatience);
  const grpc::Slice bytes(RequestFor(options.service));
  const grpc::ByteBuffer request(&bytes, 1);
  grpc::ByteBuffer response;
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC);
  const grpc::Status status = grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
      channel.get(), method, &context, request, &response);
  if (!status.ok()) {
    std::fprintf(stderr, "komadai health: %s: %s\n", options.target.c_str(),
                 status.error_message().c_str());
    return 1;
  }
  const std::string health = StatusOf(response);
  std::printf("%s\n", health.c_str());
  return health == "SERVING" ? 0 : 1;
}

}  // namespace komadai::cli
