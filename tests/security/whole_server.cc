#include "tests/security/whole_server.h"

#include <grpcpp/impl/client_unary_call.h>
#include <grpcpp/support/sync_stream.h>
#include <sqlite3.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "libs/base/check.h"
#include "libs/config/settings.h"
#include "libs/rpc/error.h"
#include "services/clock/bind.h"
#include "services/engine/bind.h"
#include "services/game/bind.h"
#include "services/kifu/bind.h"
#include "services/matchmaking/bind.h"
#include "services/rating/bind.h"
#include "services/rules/bind.h"

namespace komadai {
namespace {

using google::protobuf::MethodDescriptor;

std::vector<rpc::ComponentSpec> Components(const std::string& sqlite_path) {
  std::vector<rpc::ComponentSpec> specs{
      rules_service::RulesComponent(),    clock::ClockComponent(),   kifu::KifuComponent(),
      rating::RatingComponent(),          engine::EngineComponent(), game::GameComponent(),
      matchmaking::MatchmakingComponent()};
  config::Settings settings("whole-server", "All services in a test.");
  for (rpc::ComponentSpec& spec : specs) {
    if (spec.add_settings) spec.add_settings(settings);
  }
  const config::ParseOutcome parsed =
      settings.Parse({"--sqlite-path", sqlite_path, "--allow-test-players", "--engine-max-search",
                      "20ms", "--engine-max-player-search", "20ms"},
                     [](const char*) -> const char* { return nullptr; });
  if (!parsed.proceed) std::fprintf(stderr, "%s\n", parsed.to_stderr.c_str());
  KOMADAI_CHECK(parsed.proceed);
  return specs;
}

Reply Ended(grpc::Status status, bool answered) {
  Reply reply;
  reply.answered = answered;
  if (!status.ok()) reply.reason = rpc::FromGrpcStatus(status).reason();
  reply.status = std::move(status);
  return reply;
}

std::string PathOf(const rpc::Method& method) { return "/" + method.full_name; }

}  // namespace

WholeServer::WholeServer() {
  server_ = std::make_unique<rpc::TestServer>(Components(dir_.File("whole.db")));
  methods_ = server_->server().methods();
  std::sort(methods_.begin(), methods_.end(),
            [](const auto* a, const auto* b) { return a->full_name < b->full_name; });
}

const MethodDescriptor& WholeServer::DescriptorOf(const rpc::Method& method) {
  const auto* service =
      google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(method.service);
  KOMADAI_CHECK(service != nullptr);
  const MethodDescriptor* descriptor = service->FindMethodByName(method.name);
  KOMADAI_CHECK(descriptor != nullptr);
  return *descriptor;
}

std::unique_ptr<google::protobuf::Message> WholeServer::NewRequest(const rpc::Method& method) {
  const auto* prototype = messages_.GetPrototype(DescriptorOf(method).input_type());
  return std::unique_ptr<google::protobuf::Message>(prototype->New());
}

Reply WholeServer::Send(const rpc::Method& method, const std::string& request,
                        std::unique_ptr<grpc::ClientContext> context) {
  const grpc::Slice slice(request);
  const grpc::ByteBuffer bytes(&slice, 1);
  if (DescriptorOf(method).server_streaming()) return SendStream(method, bytes, *context);
  return SendUnary(method, bytes, *context);
}

Reply WholeServer::SendUnary(const rpc::Method& method, const grpc::ByteBuffer& request,
                             grpc::ClientContext& context) {
  const std::string path = PathOf(method);
  const grpc::internal::RpcMethod rpc(path.c_str(), grpc::internal::RpcMethod::NORMAL_RPC);
  grpc::ByteBuffer answer;
  grpc::Status status = grpc::internal::BlockingUnaryCall<grpc::ByteBuffer, grpc::ByteBuffer>(
      server_->channel().get(), rpc, &context, request, &answer);
  const bool ok = status.ok();
  return Ended(std::move(status), ok);
}

Reply WholeServer::SendStream(const rpc::Method& method, const grpc::ByteBuffer& request,
                              grpc::ClientContext& context) {
  const std::string path = PathOf(method);
  const grpc::internal::RpcMethod rpc(path.c_str(), grpc::internal::RpcMethod::SERVER_STREAMING);
  const std::unique_ptr<grpc::ClientReader<grpc::ByteBuffer>> reader(
      grpc::internal::ClientReaderFactory<grpc::ByteBuffer>::Create(server_->channel().get(), rpc,
                                                                    &context, request));
  grpc::ByteBuffer message;
  if (!reader->Read(&message)) return Ended(reader->Finish(), false);
  context.TryCancel();
  (void)reader->Finish();
  return Ended(grpc::Status::OK, true);
}

std::int64_t WholeServer::Rows() const {
  sqlite3* database = nullptr;
  KOMADAI_CHECK(sqlite3_open_v2(dir_.File("whole.db").c_str(), &database, SQLITE_OPEN_READWRITE,
                                nullptr) == SQLITE_OK);
  sqlite3_busy_timeout(database, 10'000);
  // The schema names it; counting compares nothing by it.
  const auto by_bytes = [](void*, int a_size, const void* a, int b_size, const void* b) {
    const int order = std::memcmp(a, b, static_cast<std::size_t>(std::min(a_size, b_size)));
    return order != 0 ? order : a_size - b_size;
  };
  sqlite3_create_collation(database, "C", SQLITE_UTF8, nullptr, by_bytes);
  const auto query = [database](const std::string& text) {
    std::vector<std::string> column;
    const auto collect = [](void* out, int, char** values, char**) {
      static_cast<std::vector<std::string>*>(out)->push_back(values[0] == nullptr ? "" : values[0]);
      return 0;
    };
    const int status = sqlite3_exec(database, text.c_str(), collect, &column, nullptr);
    if (status != SQLITE_OK)
      std::fprintf(stderr, "%s: %s\n", text.c_str(), sqlite3_errmsg(database));
    KOMADAI_CHECK(status == SQLITE_OK);
    return column;
  };
  std::int64_t rows = 0;
  for (const std::string& table : query("SELECT name FROM sqlite_master WHERE type = 'table'")) {
    rows += std::stoll(query("SELECT COUNT(*) FROM \"" + table + "\"").front());
  }
  sqlite3_close(database);
  return rows;
}

}  // namespace komadai
