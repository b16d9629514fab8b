#include "libs/rpc/server/server.h"

#include <grpc/impl/codegen/compression_types.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>
#include <sys/resource.h>

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include "libs/base/escaped.h"
#include "libs/rpc/auth/credentials.h"
#include "libs/rpc/keep_grpc.h"
#include "libs/rpc/server/listener.h"
#include "libs/rpc/server/plain_calls.h"
#include "libs/rpc/server/service.h"
#include "libs/rpc/server/slow_clients.h"
#include "libs/rpc/server/unknown_methods.h"
#include "libs/telemetry/metrics_server.h"
#include "libs/telemetry/process_metrics.h"

namespace komadai::rpc {
namespace {

constexpr std::chrono::milliseconds kLastAnswers{50};
// For TLS and the first frame of HTTP/2.
constexpr Millis kHandshakeTimeout{10000};
constexpr int kReadChunkBytes = 16 * 1024;
// A connection is cut when it has this many times as many calls as it may have streams.
constexpr int kCallsForEachStream = 8;
// For an address whose connection was cut.
constexpr Millis kBan{10000};
// Files, stores, engines and the links to other services need descriptors too.
constexpr int kOtherDescriptors = 256;

AccessLog ParseAccessLog(const std::string& name) {
  if (name == "all") return AccessLog::kAll;
  return name == "off" ? AccessLog::kOff : AccessLog::kErrors;
}

int ToMillisInt(Millis value) {
  return static_cast<int>(std::min<std::int64_t>(value.count(), INT_MAX));
}

void SetConnectionArguments(const ServerSettings& settings, grpc::ServerBuilder& builder) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(settings.max_message_bytes));
  // Unused features that cost every call a little: channelz, and compression of what we send.
  builder.AddChannelArgument(GRPC_ARG_ENABLE_CHANNELZ, 0);
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, 0);
  // A compressed request would be inflated before its size or its caller is looked at: a megabyte
  // becomes a gigabyte. Only "identity" (the bit 0) is accepted; others are answered UNIMPLEMENTED.
  builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1);
  builder.SetResourceQuota(grpc::ResourceQuota("connections")
                               .Resize(static_cast<std::size_t>(settings.connection_memory_bytes)));
  // How much is read from a connection before what it says is acted upon: gRPC begins every call in
  // it first.
  builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, kReadChunkBytes);
  builder.AddChannelArgument(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadChunkBytes);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, ToMillisInt(kHandshakeTimeout));
  if (settings.max_connection_idle > Millis(0)) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_IDLE_MS,
                               ToMillisInt(settings.max_connection_idle));
  }
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, settings.max_concurrent_streams);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, ToMillisInt(settings.keepalive_interval));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS,
                             ToMillisInt(settings.keepalive_timeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             ToMillisInt(settings.keepalive_min_ping_interval));
  if (settings.max_connection_age > Millis(0)) {
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_MS,
                               ToMillisInt(settings.max_connection_age));
    builder.AddChannelArgument(GRPC_ARG_MAX_CONNECTION_AGE_GRACE_MS,
                               ToMillisInt(settings.max_connection_age_grace));
  }
}

// How many connections the process has descriptors for.
int MostConnections(int wanted, const telemetry::Logger& log) {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return wanted;
  const auto limit = static_cast<std::int64_t>(files.rlim_cur);
  const std::int64_t possible = std::max(limit - kOtherDescriptors, limit / 2);
  if (possible >= wanted) return wanted;
  log.Warning("fewer connections than set: the limit of open files is too low",
              {{"connections", possible}, {"set", wanted}, {"open_files", limit}});
  return static_cast<int>(possible);
}

// Behind proxies all connections are the proxies'.
ListenerLimits LimitsOf(const ServerSettings& settings, const telemetry::Logger& log) {
  const bool direct = settings.limits.trusted_proxies == 0;
  ListenerLimits limits;
  limits.open.total = MostConnections(settings.max_connections, log);
  limits.open.per_address = direct ? settings.max_connections_per_address : 0;
  limits.per_address_and_second = direct ? settings.address_connections_per_second : 0;
  limits.ban = direct ? kBan : Millis(0);
  limits.address_burst = std::max(settings.max_connections_per_address, 1);
  return limits;
}

std::vector<std::unique_ptr<TokenVerifier>> MakeVerifiers(const TokenSettings& tokens,
                                                          const OidcSettings& oidc,
                                                          const ServerEnvironment& environment,
                                                          telemetry::Metrics& metrics) {
  std::vector<std::unique_ptr<TokenVerifier>> verifiers;
  verifiers.push_back(std::make_unique<HmacTokenVerifier>(tokens));
  if (oidc.enabled()) {
    verifiers.push_back(MakeOidcTokenVerifier(oidc, *environment.time, environment.log, metrics));
  }
  return verifiers;
}

// Counts and logs exceptions of background tasks. One server of a process at a time does.
class EscapedExceptionsLog {
 public:
  EscapedExceptionsLog(telemetry::Metrics& metrics, telemetry::Logger log) {
    prometheus::Counter& escaped =
        metrics
            .Counter("komadai_escaped_exceptions_total", "Background tasks ended by an exception.")
            .Get();
    SetEscapedHandler([&escaped, log = std::move(log)](const char* what) {
      escaped.Increment();
      log.Error("exception in a background task", {{"what", what}});
    });
  }
  ~EscapedExceptionsLog() { SetEscapedHandler(nullptr); }
  EscapedExceptionsLog(const EscapedExceptionsLog&) = delete;
  EscapedExceptionsLog& operator=(const EscapedExceptionsLog&) = delete;
};

// What belongs to one component; the members outlive the component itself, which is last.
struct Hosted {
  ComponentSpec spec;
  Runtime runtime;
  std::unique_ptr<ServiceIdentity> identity;
  std::unique_ptr<BindContext> context;
  std::unique_ptr<Component> component;
  bool started = false;
};

}  // namespace

class Server::Impl {
 public:
  Impl(const ServerSettings& settings, ServerEnvironment environment, TokenSettings tokens,
       std::shared_ptr<grpc::ChannelCredentials> channel_credentials)
      : settings_(settings),
        environment_(std::move(environment)),
        minter_(tokens),
        authenticator_(MakeVerifiers(tokens, settings_.oidc, environment_, metrics_)),
        limits_(settings_.limits, metrics_),
        slow_clients_(settings_.slow_client_limit, metrics_),
        call_slots_(settings_.call_slots),
        connection_calls_(kCallsForEachStream * settings_.max_concurrent_streams),
        channels_({std::move(channel_credentials), static_cast<int>(settings.max_message_bytes)}),
        ready_gauges_(metrics_.Gauge("komadai_ready", "1 while the service should get traffic.")),
        readiness_(settings.readiness_interval,
                   [this](const std::string& component, ReadinessState state,
                          const std::string& why) { OnReadiness(component, state, why); }) {}
  ~Impl() { Drain(); }

  Status Start(std::vector<ComponentSpec> specs,
               std::shared_ptr<grpc::ServerCredentials> credentials);
  void Drain();

  const ServerSettings settings_;
  ServerEnvironment environment_;
  telemetry::Metrics metrics_;
  const std::vector<std::shared_ptr<void>> process_metrics_ =
      telemetry::AddProcessMetrics(metrics_);
  const EscapedExceptionsLog escaped_{metrics_, environment_.log};
  TokenMinter minter_;
  Authenticator authenticator_;
  RateLimits limits_;
  telemetry::Repeats repeats_;
  SlowClients slow_clients_;
  CallSlots call_slots_;
  ConnectionCalls connection_calls_;
  Runtime unknown_runtime_;
  std::unique_ptr<UnknownMethods> unknown_methods_;
  DrainSignal drain_signal_;
  Channels channels_;
  telemetry::Gauges& ready_gauges_;
  ReadinessMonitor readiness_;
  std::unique_ptr<telemetry::MetricsServer> metrics_server_;
  std::vector<std::unique_ptr<Hosted>> hosted_;
  // The acceptor outlives the listener, whose thread calls it.
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<Listener> listener_;
  std::shared_ptr<grpc::Channel> in_process_;
  std::string address_;

 private:
  Status ConnectPeers(const std::vector<ComponentSpec>& specs);
  Status Bind(ComponentSpec spec);
  void Fill(Runtime& runtime, const std::string& name);
  Status Listen(std::shared_ptr<grpc::ServerCredentials> credentials);
  Status StartComponents();
  void OnReadiness(const std::string& component, ReadinessState state, const std::string& why);
  void SetHealth(const std::string& name, bool serving);
  void WaitForOpenCalls(std::chrono::system_clock::time_point deadline) const;

  bool drained_ = false;
};

Status Server::Impl::Start(std::vector<ComponentSpec> specs,
                           std::shared_ptr<grpc::ServerCredentials> credentials) {
  if (Status connected = ConnectPeers(specs); !connected) return connected;
  for (ComponentSpec& spec : specs) {
    if (Status bound = Bind(std::move(spec)); !bound) return bound;
  }
  if (!settings_.metrics_listen.empty()) {
    auto started = telemetry::MetricsServer::Start(settings_.metrics_listen, metrics_);
    if (!started) return std::move(started).error();
    metrics_server_ = *std::move(started);
  }
  if (Status listening = Listen(std::move(credentials)); !listening) return listening;
  if (Status started = StartComponents(); !started) return started;
  readiness_.Start();
  return {};
}

Status Server::Impl::ConnectPeers(const std::vector<ComponentSpec>& specs) {
  for (const ComponentSpec& spec : specs) channels_.SetLocal(spec.name);
  std::vector<std::string> known;
  for (const auto& [service, target] : environment_.targets) {
    channels_.SetTarget(service, target);
    known.push_back(service);
  }
  for (const ComponentSpec& spec : specs) {
    for (const std::string& peer : spec.dependencies) {
      if (channels_.IsLocal(peer) || std::count(known.begin(), known.end(), peer) > 0) continue;
      return Error(kBadSettings, spec.name + " needs the address of the " + peer + " service");
    }
  }
  return {};
}

void Server::Impl::Fill(Runtime& runtime, const std::string& name) {
  runtime.log = environment_.log.ForService(name);
  runtime.metrics = &metrics_;
  runtime.time = environment_.time;
  runtime.authenticator = &authenticator_;
  runtime.drain = &drain_signal_;
  runtime.limits = &limits_;
  runtime.access_log = ParseAccessLog(settings_.access_log);
  runtime.repeats = &repeats_;
  runtime.slow_clients = &slow_clients_;
  runtime.call_slots = &call_slots_;
  runtime.connection_calls = &connection_calls_;
  runtime.request_id_prefix = RandomId(*environment_.random, 10) + "-";
}

Status Server::Impl::Bind(ComponentSpec spec) {
  auto hosted = std::make_unique<Hosted>();
  hosted->spec = std::move(spec);
  const std::string& name = hosted->spec.name;
  Runtime& runtime = hosted->runtime;
  Fill(runtime, name);
  hosted->identity =
      std::make_unique<ServiceIdentity>(minter_, *environment_.time, "komadai-" + name);
  hosted->context.reset(new BindContext{name, runtime.log, metrics_, *environment_.time,
                                        *environment_.random, channels_, *hosted->identity, minter_,
                                        readiness_, runtime});
  readiness_.AddComponent(name);
  Result<std::unique_ptr<Component>> component = hosted->spec.bind(*hosted->context);
  if (!component) return std::move(component).error();
  hosted->component = *std::move(component);
  hosted_.push_back(std::move(hosted));
  return {};
}

Status Server::Impl::Listen(std::shared_ptr<grpc::ServerCredentials> credentials) {
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  SetConnectionArguments(settings_, builder);
  for (const auto& hosted : hosted_) {
    for (Service* service : hosted->component->Services()) {
      service->CheckComplete();
      builder.RegisterService(&service->grpc());
    }
    for (grpc::Service* service : hosted->component->PlainServices()) {
      builder.RegisterService(service);
    }
  }
  Fill(unknown_runtime_, environment_.program);
  unknown_methods_ = std::make_unique<UnknownMethods>(unknown_runtime_);
  builder.RegisterCallbackGenericService(unknown_methods_.get());
  std::vector<std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>> interceptors;
  interceptors.push_back(
      std::make_unique<PlainCalls>(limits_, connection_calls_, *environment_.time));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  if (!settings_.listen.empty()) {
    auto listener = Listener::Open(settings_.listen, LimitsOf(settings_, environment_.log),
                                   *environment_.time, metrics_, environment_.log);
    if (!listener) return std::move(listener).error();
    listener_ = *std::move(listener);
    address_ = listener_->address();
    connection_calls_.SetCut([this](const std::string& peer) { listener_->Cut(peer); });
    acceptor_ = builder.experimental().AddExternalConnectionAcceptor(
        grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
        std::move(credentials));
  }
  server_ = builder.BuildAndStart();
  if (server_ == nullptr) return Error(kListenFailed, "gRPC cannot start the server");
  if (listener_ != nullptr) {
    listener_->Start([this](int listening, int connection) {
      grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters parameters;
      parameters.listener_fd = listening;
      parameters.fd = connection;
      acceptor_->HandleNewConnection(&parameters);
    });
  }
  SetHealth(kLiveHealthName, true);
  SetHealth("", false);
  for (const auto& hosted : hosted_) {
    for (const std::string& service : hosted->runtime.services) SetHealth(service, false);
  }
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(static_cast<int>(settings_.max_message_bytes));
  in_process_ = server_->InProcessChannel(arguments);
  channels_.SetInProcess(in_process_);
  return {};
}

Status Server::Impl::StartComponents() {
  for (const auto& hosted : hosted_) {
    if (Status started = hosted->component->Start(); !started) return started;
    hosted->started = true;
  }
  return {};
}

void Server::Impl::SetHealth(const std::string& name, bool serving) {
  server_->GetHealthCheckService()->SetServingStatus(name, serving);
}

void Server::Impl::OnReadiness(const std::string& component, ReadinessState state,
                               const std::string& why) {
  const bool serving = state == ReadinessState::kReady;
  const auto level =
      state == ReadinessState::kDegraded ? telemetry::Level::kWarning : telemetry::Level::kInfo;
  environment_.log.ForService(component).Log(level, "readiness changed",
                                             {{"state", ReadinessStateName(state)}, {"why", why}});
  for (const auto& hosted : hosted_) {
    if (hosted->spec.name != component) continue;
    for (const std::string& service : hosted->runtime.services) SetHealth(service, serving);
  }
  const bool all = readiness_.AllReady();
  SetHealth("", all);
  ready_gauges_.Get().Set(all ? 1 : 0);
}

void Server::Impl::WaitForOpenCalls(std::chrono::system_clock::time_point deadline) const {
  const auto any_open = [this] {
    return std::any_of(hosted_.begin(), hosted_.end(), [](const auto& hosted) {
      return hosted->runtime.open_calls.load(std::memory_order_relaxed) > 0;
    });
  };
  while (any_open() && std::chrono::system_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void Server::Impl::Drain() {
  if (std::exchange(drained_, true)) return;
  if (server_ != nullptr) {
    readiness_.Drain();
    std::this_thread::sleep_for(settings_.drain_delay);
    for (const auto& hosted : hosted_) {
      if (hosted->started) hosted->component->Drain();
    }
    const auto deadline = std::chrono::system_clock::now() + settings_.shutdown_grace;
    drain_signal_.Raise();
    // Shutdown() would refuse the calls that running ones make to other services of this process.
    WaitForOpenCalls(deadline);
    // An ended call's answer may still be on its way to a client in this process.
    std::this_thread::sleep_for(kLastAnswers);
    if (listener_ != nullptr) listener_->Stop();
    // What is left are health watches and connections of idle clients, which may not even notice
    // the goodbye: they get a second of the grace period, not all of it.
    const auto now = std::chrono::system_clock::now();
    server_->Shutdown(
        std::min<std::chrono::system_clock::time_point>(deadline, now + std::chrono::seconds(1)));
    server_->Wait();
  }
  readiness_.Stop();
  for (auto hosted = hosted_.rbegin(); hosted != hosted_.rend(); ++hosted) {
    if ((*hosted)->started) (*hosted)->component->Stop();
  }
  while (!hosted_.empty()) hosted_.pop_back();
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::Start(const ServerSettings& settings,
                                              std::vector<ComponentSpec> components,
                                              ServerEnvironment environment) {
  KOMADAI_CHECK(environment.time != nullptr && environment.random != nullptr);
  KeepGrpc();
  if (settings.token_secret.Reveal().size() < kMinSecretLength) {
    return Error(kBadSettings,
                 "--token-secret (KOMADAI_TOKEN_SECRET) or --token-secret-file is required: at "
                 "least 32 characters, the same for all services");
  }
  Result<std::shared_ptr<grpc::ServerCredentials>> credentials = MakeServerCredentials(settings);
  if (!credentials) return std::move(credentials).error();
  Result<std::shared_ptr<grpc::ChannelCredentials>> channel_credentials =
      MakeChannelCredentials(settings);
  if (!channel_credentials) return std::move(channel_credentials).error();
  const TokenSettings tokens{settings.token_secret.Reveal(), settings.token_issuer,
                             settings.token_audience};
  auto impl = std::make_unique<Impl>(settings, std::move(environment), tokens,
                                     *std::move(channel_credentials));
  if (Status started = impl->Start(std::move(components), *std::move(credentials)); !started) {
    return std::move(started).error();
  }
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

const std::string& Server::address() const { return impl_->address_; }
int Server::metrics_port() const {
  return impl_->metrics_server_ == nullptr ? 0 : impl_->metrics_server_->port();
}
std::shared_ptr<grpc::Channel> Server::InProcessChannel() { return impl_->in_process_; }
telemetry::Metrics& Server::metrics() { return impl_->metrics_; }
const TokenMinter& Server::tokens() const { return impl_->minter_; }
DrainSignal& Server::drain_signal() { return impl_->drain_signal_; }
std::vector<const Method*> Server::methods() const {
  std::vector<const Method*> methods;
  for (const auto& hosted : impl_->hosted_) {
    methods.insert(methods.end(), hosted->runtime.methods.begin(), hosted->runtime.methods.end());
  }
  return methods;
}
ReadinessMonitor& Server::readiness() { return impl_->readiness_; }
void Server::Drain() { impl_->Drain(); }

}  // namespace komadai::rpc
