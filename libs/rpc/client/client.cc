#include "libs/rpc/client/client.h"

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

#include "libs/rpc/timer.h"

namespace komadai::rpc::internal {
namespace {

constexpr int kMaxAttempts = 3;
constexpr Millis kFirstRetryDelay{20};

struct RequestMetrics {
  telemetry::Counters* handled = nullptr;
  prometheus::Histogram* duration = nullptr;
};

// Every RPC has a request message of its own, named after it.
std::string MethodOf(const google::protobuf::Descriptor* request) {
  static constexpr std::string_view kSuffix = "Request";
  std::string name = request->name();
  if (name.size() > kSuffix.size()) name.resize(name.size() - kSuffix.size());
  return name;
}

}  // namespace

struct ClientCore::Peer {
  std::string service;
  Channels& channels;
  ServiceIdentity& identity;
  Runtime& runtime;
  Random& random;
  telemetry::Counters& retries;
  std::shared_mutex mutex = {};
  std::unordered_map<const google::protobuf::Descriptor*, RequestMetrics> metrics = {};

  RequestMetrics MetricsOf(const google::protobuf::Descriptor* request);
};

RequestMetrics ClientCore::Peer::MetricsOf(const google::protobuf::Descriptor* request) {
  {
    const std::shared_lock lock(mutex);
    if (const auto found = metrics.find(request); found != metrics.end()) return found->second;
  }
  const prometheus::Labels labels{{"peer", service}, {"method", MethodOf(request)}};
  RequestMetrics made;
  made.handled = &runtime.metrics->Counter(
      "komadai_rpc_client_handled_total", "Calls to other services, by status code; retries count.",
      {{"code", AllCodeNames()}}, labels);
  made.duration = &runtime.metrics
                       ->Histogram("komadai_rpc_client_duration_seconds",
                                   "From the start of a call to another service to its answer.", {},
                                   telemetry::LatencyBuckets(), labels)
                       .Get();
  const std::unique_lock lock(mutex);
  return metrics[request] = made;
}

ClientCore::ClientCore(BindContext& context, std::string service)
    : peer_(new Peer{std::move(service), context.channels, context.identity, context.runtime,
                     context.random,
                     context.metrics.Counter("komadai_rpc_client_retries_total",
                                             "Repeated calls to other services.")}) {}

std::shared_ptr<grpc::Channel> ClientCore::Channel() const {
  return peer_->channels.To(peer_->service);
}

std::shared_ptr<grpc::ClientContext> ClientCore::NewContext(const Call& call,
                                                            const CallOptions& options) {
  const Deadline now = std::chrono::system_clock::now();
  const Deadline deadline = std::min(call.deadline(), now + options.timeout);
  if (deadline <= now) return nullptr;
  auto context = std::make_shared<grpc::ClientContext>();
  context->set_deadline(deadline);
  context->set_wait_for_ready(options.wait_for_ready);
  context->AddMetadata("x-request-id", call.request_id());
  if (!call.trace().empty()) context->AddMetadata("traceparent", call.trace().header());
  switch (options.act_as) {
    case ActAs::kService:
      context->AddMetadata("authorization", peer_->identity.Authorization());
      break;
    case ActAs::kCaller:
      if (!call.authorization().empty()) {
        context->AddMetadata("authorization", call.authorization());
      }
      break;
    case ActAs::kNobody:
      break;
  }
  if (options.cancel_with_caller) {
    call.OnCancel([weak = std::weak_ptr<grpc::ClientContext>(context)] {
      if (const auto alive = weak.lock()) alive->TryCancel();
    });
  }
  return context;
}

std::shared_ptr<grpc::ClientContext> ClientCore::NewStreamContext() {
  auto context = std::make_shared<grpc::ClientContext>();
  context->AddMetadata("x-request-id", peer_->runtime.NewRequestId());
  context->AddMetadata("authorization", peer_->identity.Authorization());
  return context;
}

Millis ClientCore::Jittered(Millis delay) {
  const auto half = static_cast<std::uint64_t>(std::max<std::int64_t>(delay.count() / 2, 1));
  return delay / 2 + Millis(static_cast<std::int64_t>(peer_->random.Below(half + 1)));
}

Task<bool> ClientCore::ShouldRetry(Call call, CallOptions options, Code code, int attempt) {
  if (!options.idempotent || code != Code::kUnavailable || attempt >= kMaxAttempts) {
    co_return false;
  }
  const Millis pause = Jittered(kFirstRetryDelay * (1 << (attempt - 1)));
  if (call.IsCancelled() || call.Remaining() <= pause) co_return false;
  peer_->retries.Get().Increment();
  co_await SleepFor(pause);
  co_return true;
}

void ClientCore::Observe(const google::protobuf::Descriptor* request, Code code, double seconds) {
  const RequestMetrics metrics = peer_->MetricsOf(request);
  metrics.handled->With({CodeName(code)}).Increment();
  metrics.duration->Observe(seconds);
}

Error ClientCore::DeadlinePassed() {
  return Error(kDeadlinePassed, "the deadline passed before another service was asked");
}

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace komadai::rpc::internal
