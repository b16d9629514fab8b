#include "libs/rpc/server/service.h"

#include <google/protobuf/descriptor.h>
#include <grpcpp/impl/codegen/server_callback_handlers.h>
#include <grpcpp/impl/rpc_service_method.h>
#include <grpcpp/impl/service_type.h>
#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include <algorithm>
#include <exception>
#include <map>
#include <optional>

#include "libs/base/check.h"
#include "libs/base/no_waiting.h"
#include "libs/rpc/call_state.h"
#include "libs/rpc/contract.h"
#include "libs/rpc/error.h"
#include "libs/rpc/message_bytes.h"
#include "libs/rpc/runtime.h"
#include "libs/rpc/server/event_stream_reactor.h"

namespace komadai::rpc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;
using grpc::ByteBuffer;

class UnaryReactor final : public grpc::ServerUnaryReactor {
 public:
  UnaryReactor(const Method& method, grpc::CallbackServerContext* context)
      : context_(context), state_(std::make_shared<CallState>(method, *method.runtime->time)) {}

  // The call to hand to the handler, or why it must not run.
  Result<Call> Admit(std::size_t request_bytes) {
    if (Status admitted = state_->Admit(*context_, request_bytes); !admitted) {
      return std::move(admitted).error();
    }
    return Call(state_);
  }
  // Exactly once; the reactor may be gone when this returns.
  void Complete(const std::optional<Error>& error) {
    state_->Finished(error ? error->code() : Code::kOk, error ? &error->reason() : nullptr);
    Finish(error ? ToGrpcStatus(*error) : grpc::Status::OK);
  }

 private:
  void OnCancel() override {
    const NoWaiting here;
    state_->SetCancelled();
  }
  void OnDone() override {
    const NoWaiting here;
    delete this;
  }

  grpc::CallbackServerContext* const context_;
  std::shared_ptr<CallState> state_;
};

Error UnexpectedException(const Call& call, const Method& method, const char* what) {
  method.runtime->log.Error(
      "exception in a handler",
      {{"method", method.full_name}, {"request_id", call.request_id()}, {"what", what}});
  // The text stays in the log: it may tell strangers more than they should know.
  std::map<std::string, std::string> metadata;
  metadata["request_id"] = call.request_id();
  return Error(kInternal, "internal error; the request id names it in the log",
               std::move(metadata));
}

Error Malformed(const Method& method) {
  return Error(kMalformedRequest, "the request is not a message of " + method.full_name);
}

komadai::internal::Detached RunUnary(UnaryReactor* reactor, const Method& method,
                                     std::unique_ptr<internal::UnaryWork> work,
                                     const ByteBuffer* request, ByteBuffer* response) {
  std::optional<Error> error;
  ByteBuffer bytes = *request;  // another reference to them; reading moves on in it
  Result<Call> call = reactor->Admit(bytes.Length());
  if (!call) {
    error = std::move(call).error();
  } else if (!FromBytes(bytes, work->request())) {
    error = Malformed(method);
  } else {
    try {
      work->Begin(*call);
      internal::EndOf end{*work};
      co_await end;
      Result<const google::protobuf::MessageLite*> answer = work->Answer();
      if (answer) {
        *response = ToBytes(**answer);
      } else {
        error = std::move(answer).error();
      }
    } catch (const std::exception& e) {
      error = UnexpectedException(*call, method, e.what());
    } catch (...) {
      error = UnexpectedException(*call, method, "of unknown type");
    }
  }
  reactor->Complete(error);
}

komadai::internal::Detached RunStream(std::shared_ptr<EventStreamBase> stream, const Method& method,
                                      std::unique_ptr<internal::StreamWork> work,
                                      const ByteBuffer* request) {
  ByteBuffer bytes = *request;
  Result<Call> call = stream->Admit(bytes.Length());
  if (!call) {
    stream->Fail(std::move(call).error());
    co_return;
  }
  if (!FromBytes(bytes, work->request())) {
    stream->Fail(Malformed(method));
    co_return;
  }
  try {
    Task<Result<AfterSetup>> setup = work->Begin(*call);
    Result<AfterSetup> after = co_await std::move(setup);
    if (!after) {
      stream->Fail(std::move(after).error());
    } else if (*after == AfterSetup::kComplete) {
      stream->Complete();
    }
  } catch (const std::exception& e) {
    stream->Fail(UnexpectedException(*call, method, e.what()));
  } catch (...) {
    stream->Fail(UnexpectedException(*call, method, "of unknown type"));
  }
}

void ResolveMetrics(Method& method, telemetry::Metrics& metrics) {
  const prometheus::Labels labels{{"service", method.service}, {"method", method.name}};
  method.handled = &metrics.Counter("komadai_rpc_handled_total", "Calls ended, by status code.",
                                    {{"code", AllCodeNames()}}, labels);
  method.duration =
      &metrics
           .Histogram("komadai_rpc_duration_seconds", "From the receipt of a call to its end.", {},
                      telemetry::LatencyBuckets(), labels)
           .Get();
  method.in_flight =
      &metrics.Gauge("komadai_rpc_in_flight", "Calls and streams open now.", {}, labels).Get();
  method.messages_sent = &metrics
                              .Counter("komadai_rpc_stream_messages_total",
                                       "Messages written to server streams.", {}, labels)
                              .Get();
  method.slow_consumers = &metrics
                               .Counter("komadai_rpc_slow_consumers_total",
                                        "Streams ended because they were not read.", {}, labels)
                               .Get();
  method.HandledWith(Code::kOk);  // present from the start, so that rates have a zero to rise from
}

const ServiceDescriptor& DescriptorOf(const std::string& full_name) {
  const ServiceDescriptor* service =
      google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(full_name);
  KOMADAI_CHECK(service != nullptr);
  return *service;
}

}  // namespace

// What protoc's gRPC plugin would write for a service whose methods are all "raw".
class Service::Grpc final : public grpc::Service {
 public:
  void Add(const Method& method, internal::MakeUnary make) {
    using Handler = grpc::internal::CallbackUnaryHandler<ByteBuffer, ByteBuffer>;
    Add(method, grpc::internal::RpcMethod::NORMAL_RPC,
        new Handler([&method, make = std::move(make)](grpc::CallbackServerContext* context,
                                                      const ByteBuffer* request,
                                                      ByteBuffer* response) {
          const NoWaiting here;
          auto* reactor = new UnaryReactor(method, context);  // deletes itself in OnDone
          RunUnary(reactor, method, make(), request, response);
          return reactor;
        }));
  }

  void Add(const Method& method, std::size_t queue_limit, internal::MakeStream make) {
    using Handler = grpc::internal::CallbackServerStreamingHandler<ByteBuffer, ByteBuffer>;
    Add(method, grpc::internal::RpcMethod::SERVER_STREAMING,
        new Handler([&method, queue_limit, make = std::move(make)](
                        grpc::CallbackServerContext* context, const ByteBuffer* request) {
          const NoWaiting here;
          std::unique_ptr<internal::StreamWork> work = make();
          std::shared_ptr<EventStreamBase> stream = work->Open({method, *context, queue_limit});
          EventStreamBase::Reactor* reactor = stream->Hold(stream);  // lives until OnDone at least
          RunStream(std::move(stream), method, std::move(work), request);
          return reactor;
        }));
  }

 private:
  void Add(const Method& method, grpc::internal::RpcMethod::RpcType type,
           grpc::internal::MethodHandler* handler) {
    AddMethod(new grpc::internal::RpcServiceMethod(method.path.c_str(), type, nullptr));
    MarkMethodRawCallback(added_++, handler);
  }

  int added_ = 0;
};

prometheus::Counter& Method::HandledWith(Code code) const {
  return handled->With({CodeName(code)});
}

Service::Service(Runtime& runtime, std::string_view full_name)
    : runtime_(runtime), full_name_(full_name), grpc_(std::make_unique<Grpc>()) {
  runtime.services.push_back(full_name_);
}

Service::~Service() = default;

grpc::Service& Service::grpc() { return *grpc_; }

void Service::CheckComplete() const {
  KOMADAI_CHECK(static_cast<int>(methods_.size()) == DescriptorOf(full_name_).method_count());
}

const Method& Service::AddMethod(const Descriptor* request, const Descriptor* response,
                                 bool streams, MethodOptions options) {
  const MethodDescriptor& descriptor = MethodTaking(request);
  KOMADAI_CHECK(descriptor.service() == &DescriptorOf(full_name_));
  KOMADAI_CHECK(descriptor.output_type() == response);
  KOMADAI_CHECK(descriptor.server_streaming() == streams && !descriptor.client_streaming());
  KOMADAI_CHECK(!(options.allow == CallerSet()));  // a method that nobody may call
  KOMADAI_CHECK(std::none_of(methods_.begin(), methods_.end(), [&](const auto& method) {
    return method->name == descriptor.name();
  }));
  auto method = std::make_unique<Method>();
  method->service = full_name_;
  method->name = descriptor.name();
  method->full_name = full_name_ + "/" + descriptor.name();
  method->path = PathOf(descriptor);
  method->options = std::move(options);
  method->runtime = &runtime_;
  ResolveMetrics(*method, *runtime_.metrics);
  runtime_.methods.push_back(method.get());
  methods_.push_back(std::move(method));
  return *methods_.back();
}

void Service::AddUnary(const Descriptor* request, const Descriptor* response, MethodOptions options,
                       internal::MakeUnary make) {
  grpc_->Add(AddMethod(request, response, false, std::move(options)), std::move(make));
}

void Service::AddStream(const Descriptor* request, const Descriptor* message, MethodOptions options,
                        std::size_t queue_limit, internal::MakeStream make) {
  grpc_->Add(AddMethod(request, message, true, std::move(options)), queue_limit, std::move(make));
}

}  // namespace komadai::rpc
