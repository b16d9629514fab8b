#include "libs/rpc/testing/test_server.h"

#include <grpcpp/create_channel.h>
#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstdio>

#include "libs/base/check.h"

namespace komadai::rpc {
namespace {

constexpr char kTestSecret[] = "a secret that only tests know: 0123456789";
constexpr std::chrono::seconds kTestDeadline{10};

}  // namespace

TestServer::TestServer(std::vector<ComponentSpec> components, TestServerOptions options)
    : time_(options.time == nullptr ? &system_time_ : options.time) {
  ServerSettings settings = options.settings;
  settings.listen = options.listen ? "127.0.0.1:0" : "";
  settings.token_secret = config::Secret(kTestSecret);
  ServerEnvironment environment;
  environment.program = "test";
  environment.log =
      telemetry::Logger("test", telemetry::Level::kDebug, [this](std::string_view line) {
        const MutexLock lock(log_mutex_);
        log_lines_.emplace_back(line);
      });
  environment.time = time_;
  environment.random = &random_;
  environment.targets = options.targets;
  Result<std::unique_ptr<Server>> server =
      Server::Start(settings, std::move(components), std::move(environment));
  if (!server) std::fprintf(stderr, "%s\n", server.error().ToString().c_str());
  KOMADAI_CHECK(server.has_value());
  server_ = *std::move(server);
  channel_ = server_->InProcessChannel();
}

TestServer::~TestServer() = default;

std::string TestServer::Secret() { return kTestSecret; }

std::shared_ptr<grpc::Channel> TestServer::NewTcpChannel() const {
  // Connections of their own: channels to one address share them by default.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(server_->address(), grpc::InsecureChannelCredentials(),
                                   arguments);
}

std::string TestServer::Authorization(CallerKind kind, const std::string& id,
                                      const std::string& name) {
  const TimePoint now = time_->Now();
  Result<std::string> token =
      server_->tokens().Mint({kind, id, name}, now, now + std::chrono::hours(1));
  KOMADAI_CHECK(token.has_value());
  return "Bearer " + *token;
}

std::unique_ptr<grpc::ClientContext> TestServer::ContextAs(CallerKind kind, const std::string& id) {
  std::unique_ptr<grpc::ClientContext> context = AnonymousContext();
  context->AddMetadata("authorization", Authorization(kind, id));
  return context;
}

std::unique_ptr<grpc::ClientContext> TestServer::AnonymousContext() {
  auto context = std::make_unique<grpc::ClientContext>();
  context->set_deadline(std::chrono::system_clock::now() + kTestDeadline);
  return context;
}

// The messages of grpc.health.v1 are so small that they are written by hand: Debian ships no proto.
std::string TestServer::HealthOf(const std::string& name) {
  std::string request = "\x0a";  // field 1, a string
  request += static_cast<char>(name.size());
  request += name;
  const grpc::Slice slice(request);
  const grpc::ByteBuffer in(&slice, 1);
  grpc::ByteBuffer out;
  const std::unique_ptr<grpc::ClientContext> context = AnonymousContext();
  const grpc::internal::RpcMethod method("/grpc.health.v1.Health/Check",
                                         grpc::internal::RpcMethod::NORMAL_RPC);
  const grpc::Status status = grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
      channel_.get(), method, context.get(), in, &out);
  if (status.error_code() == grpc::StatusCode::NOT_FOUND) return "NOT_FOUND";
  if (!status.ok()) return "FAILED: " + status.error_message();
  grpc::Slice answer;
  KOMADAI_CHECK(out.DumpToSingleSlice(&answer).ok());
  const bool serving = answer.size() == 2 && answer.begin()[0] == 0x08 && answer.begin()[1] == 1;
  return serving ? "SERVING" : "NOT_SERVING";
}

std::vector<std::string> TestServer::LogLines() const {
  const MutexLock lock(log_mutex_);
  return log_lines_;
}

}  // namespace komadai::rpc
