#include "cli/connection.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <utility>

#include "libs/base/random.h"
#include "libs/rpc/auth/credentials.h"
#include "libs/rpc/error.h"
#include "libs/rpc/keep_grpc.h"

namespace komadai::cli {
namespace {

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::shared_ptr<grpc::Channel> Connect(const std::string& address,
                                       const std::shared_ptr<grpc::ChannelCredentials>& credentials,
                                       grpc::ChannelArguments arguments = {}) {
  rpc::KeepGrpc();
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  return grpc::CreateCustomChannel(address, credentials, arguments);
}

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> CredentialsFromEnvironment() {
  rpc::ServerSettings settings;
  settings.tls_ca = FromEnvironment("KOMADAI_TLS_CA");
  settings.tls_certificate = FromEnvironment("KOMADAI_TLS_CERTIFICATE");
  settings.tls_key = FromEnvironment("KOMADAI_TLS_KEY");
  return rpc::MakeChannelCredentials(settings);
}

Result<Targets> Targets::Parse(const std::string& text) {
  Result<std::shared_ptr<grpc::ChannelCredentials>> credentials = CredentialsFromEnvironment();
  if (!credentials) return std::move(credentials).error();
  Targets targets;
  targets.credentials_ = *credentials;
  std::istringstream list(text);
  for (std::string part; std::getline(list, part, ',');) {
    const std::size_t equals = part.find('=');
    const std::string service = equals == std::string::npos ? "" : part.substr(0, equals);
    const std::string address = equals == std::string::npos ? part : part.substr(equals + 1);
    if (address.find(':') == std::string::npos) {
      return Error(kBadTarget,
                   "a target is HOST:PORT, or service=HOST:PORT,... with the services "
                   "rules, game, kifu, clock, matchmaking, rating and engine");
    }
    targets.servers_[service] = {address, Connect(address, *credentials)};
  }
  if (targets.servers_.empty()) return Error(kBadTarget, "the target is empty");
  return targets;
}

const Targets::Server& Targets::Find(const std::string& service) const {
  const auto own = servers_.find(service);
  if (own != servers_.end()) return own->second;
  const auto other = servers_.find("");
  return other != servers_.end() ? other->second : servers_.begin()->second;
}

std::shared_ptr<grpc::Channel> Targets::To(const std::string& service) const {
  return Find(service).channel;
}

std::shared_ptr<grpc::Channel> Targets::NewConnectionTo(const std::string& service) const {
  grpc::ChannelArguments own_connection;
  own_connection.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return Connect(Find(service).address, credentials_, own_connection);
}

Connection::Connection(const Targets& targets, Millis patience)
    : targets_(targets), patience_(patience) {}

// "komadai.game.v1" is the package of the service "game".
std::shared_ptr<grpc::Channel> Connection::ChannelFor(
    const google::protobuf::Message& request) const {
  const std::string& package = request.GetDescriptor()->file()->package();
  const std::size_t begin = package.find('.') + 1;
  return targets_.To(package.substr(begin, package.find('.', begin) - begin));
}

Status Connection::Exchange(const google::protobuf::Message& request,
                            google::protobuf::Message& response) {
  const std::shared_ptr<grpc::Channel> channel = ChannelFor(request);
  Attempts attempts(patience_);
  for (;;) {
    grpc::ClientContext context;
    Prepare(context, kCallTimeout);
    const grpc::Status status = rpc::BlockingCall(channel, context, request, response);
    if (status.ok()) return {};
    if (!attempts.Again(status)) return ErrorOf(status);
  }
}

std::unique_ptr<rpc::BlockingStream> Connection::Open(
    grpc::ClientContext& context, const google::protobuf::Message& request) const {
  return std::make_unique<rpc::BlockingStream>(ChannelFor(request), context, request);
}

void Connection::Prepare(grpc::ClientContext& context, Millis timeout) const {
  context.set_deadline(std::chrono::system_clock::now() + timeout);
  if (!authorization_.empty()) context.AddMetadata("authorization", authorization_);
}

std::unique_ptr<grpc::ClientContext> Connection::StreamContext() const {
  auto context = std::make_unique<grpc::ClientContext>();
  if (!authorization_.empty()) context->AddMetadata("authorization", authorization_);
  return context;
}

Error Connection::ErrorOf(const grpc::Status& status) { return rpc::FromGrpcStatus(status); }

Connection::Attempts::Attempts(Millis patience)
    : until_(std::chrono::steady_clock::now() + patience) {}

bool Connection::Attempts::Again(const grpc::Status& status) {
  const bool transient = status.error_code() == grpc::StatusCode::UNAVAILABLE ||
                         status.error_code() == grpc::StatusCode::ABORTED ||
                         status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
  const std::string reason = rpc::FromGrpcStatus(status).reason();
  // ABORTED/STALE_PLY is final: the game has moved on.
  const bool final = reason == "STALE_PLY";
  // A command that makes many calls (conformance, say) waits its turn like everybody.
  const bool too_fast = reason == "RATE_LIMITED";
  if (!(transient || too_fast) || final || std::chrono::steady_clock::now() + pause_ > until_) {
    return false;
  }
  std::this_thread::sleep_for(pause_);
  pause_ = std::min(pause_ * 2, Millis(1000));
  return true;
}

std::string NewRequestId() {
  static SystemRandom random;
  return RandomId(random, 26);
}

int Fail(std::string_view what, const Error& error) {
  std::fprintf(stderr, "komadai: %.*s: %s\n", static_cast<int>(what.size()), what.data(),
               error.ToString().c_str());
  return 1;
}

}  // namespace komadai::cli
