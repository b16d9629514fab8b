// TestServer: components on a real gRPC server inside a test, reached in process or over loopback.
#pragma once

#include <grpcpp/client_context.h>

#include <memory>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/server/server.h"

namespace komadai::rpc {

struct TestServerOptions {
  bool listen = false;               // also on a free loopback port
  const TimeSource* time = nullptr;  // default: the system's
  std::vector<std::pair<std::string, std::string>> targets = {};
  ServerSettings settings = WithoutLimits();  // listen and token_secret are overwritten

  // The calls of a test all come from one address.
  static ServerSettings WithoutLimits() {
    ServerSettings settings;
    settings.limits = RateLimitSettings::Unlimited();
    settings.address_connections_per_second = 0;
    settings.max_connections_per_address = 0;
    settings.max_concurrent_streams = 10000;
    settings.call_slots = {.calls_per_address = 0, .reads_per_address = 0};
    return settings;
  }
};

class TestServer {
 public:
  // Aborts the test binary if the components do not start.
  explicit TestServer(std::vector<ComponentSpec> components, TestServerOptions options = {});
  ~TestServer();

  // What its tokens are signed with, for tests that make bad ones.
  static std::string Secret();
  Server& server() { return *server_; }
  std::shared_ptr<grpc::Channel> channel() { return channel_; }  // in process
  std::shared_ptr<grpc::Channel> NewTcpChannel() const;          // needs options.listen
  template <typename Service>
  std::unique_ptr<typename Service::Stub> Stub() {
    return Service::NewStub(channel_);
  }

  // "Bearer TOKEN" for such a caller, valid for an hour.
  std::string Authorization(CallerKind kind, const std::string& id, const std::string& name = "");
  // A client context with that token and a deadline of ten seconds.
  std::unique_ptr<grpc::ClientContext> ContextAs(CallerKind kind, const std::string& id);
  std::unique_ptr<grpc::ClientContext> AnonymousContext();

  // What grpc.health.v1 says: "SERVING", "NOT_SERVING" or "NOT_FOUND".
  std::string HealthOf(const std::string& name);

  // Log lines so far.
  std::vector<std::string> LogLines() const;

 private:
  SystemTimeSource system_time_;
  SystemRandom random_;
  const TimeSource* time_;
  mutable Mutex log_mutex_;
  std::vector<std::string> log_lines_ KOMADAI_GUARDED_BY(log_mutex_);
  std::unique_ptr<Server> server_;
  std::shared_ptr<grpc::Channel> channel_;
};

}  // namespace komadai::rpc
