#include "libs/rpc/client/client.h"

#include <google/protobuf/message.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/client_callback.h>

#include <algorithm>
#include <chrono>

#include "libs/base/no_waiting.h"
#include "libs/rpc/client/client_core.h"
#include "libs/rpc/contract.h"
#include "libs/rpc/error.h"
#include "libs/rpc/timer.h"

namespace komadai::rpc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::MessageLite;
using SteadyTime = std::chrono::steady_clock::time_point;

constexpr int kMaxAttempts = 3;
constexpr Millis kFirstRetryDelay{20};

double SecondsSince(SteadyTime start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

OutgoingRpc::OutgoingRpc(const google::protobuf::MethodDescriptor& descriptor,
                         std::shared_ptr<grpc::Channel> to, telemetry::Counters& handled_calls,
                         prometheus::Histogram& duration_of_calls)
    : path(PathOf(descriptor)),
      channel(std::move(to)),
      method(path.c_str(),
             descriptor.server_streaming() ? grpc::internal::RpcMethod::SERVER_STREAMING
                                           : grpc::internal::RpcMethod::NORMAL_RPC,
             channel),
      response(descriptor.output_type()),
      handled(handled_calls),
      duration(duration_of_calls) {}

Client::Core::Core(BindContext& context, std::string service)
    : service_(std::move(service)),
      channels_(context.channels),
      identity_(context.identity),
      runtime_(context.runtime),
      random_(context.random),
      retries_(context.metrics.Counter("komadai_rpc_client_retries_total",
                                       "Repeated calls to other services.")) {}

const OutgoingRpc& Client::Core::RpcOf(const Descriptor* request, const Descriptor* response) {
  const OutgoingRpc* rpc = nullptr;
  {
    const ReaderLock lock(mutex_);
    if (const auto found = rpcs_.find(request); found != rpcs_.end()) rpc = found->second.get();
  }
  if (rpc == nullptr) {
    std::unique_ptr<OutgoingRpc> made = NewRpc(request);
    const MutexLock lock(mutex_);
    rpc = rpcs_.try_emplace(request, std::move(made)).first->second.get();
  }
  KOMADAI_CHECK(rpc->response == response);
  return *rpc;
}

std::unique_ptr<OutgoingRpc> Client::Core::NewRpc(const Descriptor* request) const {
  const google::protobuf::MethodDescriptor& method = MethodTaking(request);
  const prometheus::Labels labels{{"peer", service_}, {"method", method.name()}};
  telemetry::Counters& handled = runtime_.metrics->Counter(
      "komadai_rpc_client_handled_total", "Calls to other services, by status code; retries count.",
      {{"code", AllCodeNames()}}, labels);
  prometheus::Histogram& duration =
      runtime_.metrics
          ->Histogram("komadai_rpc_client_duration_seconds",
                      "From the start of a call to another service to its answer.", {},
                      telemetry::LatencyBuckets(), labels)
          .Get();
  return std::make_unique<OutgoingRpc>(method, channels_.To(service_), handled, duration);
}

std::shared_ptr<grpc::ClientContext> Client::Core::NewContext(const rpc::Call& call,
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
      context->AddMetadata("authorization", identity_.Authorization());
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

std::shared_ptr<grpc::ClientContext> Client::Core::NewStreamContext() {
  auto context = std::make_shared<grpc::ClientContext>();
  context->AddMetadata("x-request-id", runtime_.NewRequestId());
  context->AddMetadata("authorization", identity_.Authorization());
  return context;
}

Millis Client::Core::Jittered(Millis delay) {
  const auto half = static_cast<std::uint64_t>(std::max<std::int64_t>(delay.count() / 2, 1));
  return delay / 2 + Millis(static_cast<std::int64_t>(random_.Below(half + 1)));
}

Task<bool> Client::Core::ShouldRetry(rpc::Call call, CallOptions options, Code code, int attempt) {
  if (!options.idempotent || code != Code::kUnavailable || attempt >= kMaxAttempts) {
    co_return false;
  }
  const Millis pause = Jittered(kFirstRetryDelay * (1 << (attempt - 1)));
  if (call.IsCancelled() || call.Remaining() <= pause) co_return false;
  retries_.Get().Increment();
  co_await SleepFor(pause);
  co_return true;
}

Error Client::Core::ErrorOf(const grpc::Status& status, const OutgoingRpc& rpc,
                            const rpc::Call& call) const {
  Error error = FromGrpcStatus(status);
  if (!status.error_details().empty()) return error;  // the other service's own words
  const std::string_view code = CodeName(error.code());
  const std::string kind = rpc.path + std::string(code);
  if (const auto left_out = runtime_.repeats->Pass(kind, runtime_.time->Now())) {
    runtime_.log.Warning("call to another service failed", {{"method", rpc.path},
                                                            {"code", code},
                                                            {"what", status.error_message()},
                                                            {"request_id", call.request_id()},
                                                            {"lines_left_out", *left_out}});
  }
  const char* what = error.code() == Code::kDeadlineExceeded ? " service did not answer in time"
                     : error.code() == Code::kUnavailable    ? " service cannot be reached"
                                                             : " service failed";
  return Error::FromWire(error.code(), error.reason(), "the " + service_ + what, {});
}

Client::Client(BindContext& context, std::string service)
    : core_(std::make_shared<Core>(context, std::move(service))) {}

Client::~Client() = default;

Task<Status> Client::Exchange(rpc::Call call, const google::protobuf::Message& request,
                              google::protobuf::Message& response, CallOptions options) {
  const std::shared_ptr<Core> core = core_;
  const OutgoingRpc& rpc = core->RpcOf(request.GetDescriptor(), response.GetDescriptor());
  for (int attempt = 1;; ++attempt) {
    const std::shared_ptr<grpc::ClientContext> context = core->NewContext(call, options);
    if (context == nullptr) {
      co_return Error(kDeadlinePassed, "the deadline passed before another service was asked");
    }
    const SteadyTime start = std::chrono::steady_clock::now();
    const grpc::Status status = co_await FromCallback<grpc::Status>([&](auto done) {
      grpc::internal::CallbackUnaryCall<MessageLite, MessageLite>(
          rpc.channel.get(), rpc.method, context.get(), &request, &response,
          [done = std::move(done)](grpc::Status answer) {
            const NoWaiting here;
            done(std::move(answer));
          });
    });
    const Code code = static_cast<Code>(status.error_code());
    rpc.handled.With({CodeName(code)}).Increment();
    rpc.duration.Observe(SecondsSince(start));
    if (status.ok()) co_return Status();
    const bool again = co_await core->ShouldRetry(call, options, code, attempt);
    if (!again) co_return core->ErrorOf(status, rpc, call);
  }
}

}  // namespace komadai::rpc
