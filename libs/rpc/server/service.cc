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
#include <functional>
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
#include "libs/rpc/server/request_reactor.h"

namespace komadai::rpc {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;
using grpc::ByteBuffer;

class UnaryReactor;
komadai::internal::Detached RunUnary(UnaryReactor* reactor, const Method& method,
                                     std::unique_ptr<internal::UnaryWork> work);

class UnaryReactor final : public RequestReactor {
 public:
  UnaryReactor(const Method& method, grpc::CallbackServerContext& context,
               std::unique_ptr<internal::UnaryWork> work)
      : RequestReactor(std::make_shared<CallState>(method, *method.runtime->time), context),
        work_(std::move(work)) {}

  Call call() const { return Call(state()); }
  ByteBuffer bytes() const { return request(); }
  // One of these ends the call, exactly once; the reactor may be gone when it returns.
  void Answer(const google::protobuf::MessageLite& answer) {
    answer_ = ToBytes(answer);
    state()->Finished(nullptr);
    AwaitReader();
    StartWriteAndFinish(&answer_, grpc::WriteOptions(), grpc::Status::OK);
  }
  void Refuse(const Error& error) {
    state()->Finished(&error);
    AwaitReader();
    Finish(ToGrpcStatus(state()->ForCaller(error)));
  }

 private:
  void OnRequest(std::optional<Error> error) override {
    if (error) return Refuse(*error);
    RunUnary(this, *state()->method, std::move(work_));
  }
  void OnClientGone() override { state()->SetCancelled(); }
  void OnEnd() override { delete this; }

  std::unique_ptr<internal::UnaryWork> work_;
  ByteBuffer answer_;
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
                                     std::unique_ptr<internal::UnaryWork> work) {
  const Call call = reactor->call();
  std::optional<Error> error;
  ByteBuffer bytes = reactor->bytes();  // another reference to them; reading moves on in it
  if (!FromBytes(bytes, work->request())) {
    error = Malformed(method);
  } else {
    try {
      work->Begin(call);
      internal::EndOf end{*work};
      co_await end;
      Result<const google::protobuf::MessageLite*> answer = work->Answer();
      if (answer) {
        reactor->Answer(**answer);
        co_return;
      }
      error = std::move(answer).error();
    } catch (const std::exception& e) {
      error = UnexpectedException(call, method, e.what());
    } catch (...) {
      error = UnexpectedException(call, method, "of unknown type");
    }
  }
  reactor->Refuse(*error);
}

komadai::internal::Detached RunStream(std::shared_ptr<EventStreamBase> stream, const Method& method,
                                      std::shared_ptr<internal::StreamWork> work, Call call,
                                      ByteBuffer bytes) {
  if (!FromBytes(bytes, work->request())) {
    stream->Fail(Malformed(method));
    co_return;
  }
  try {
    Task<Result<AfterSetup>> setup = work->Begin(call);
    Result<AfterSetup> after = co_await std::move(setup);
    if (!after) {
      stream->Fail(std::move(after).error());
    } else if (*after == AfterSetup::kComplete) {
      stream->Complete();
    }
  } catch (const std::exception& e) {
    stream->Fail(UnexpectedException(call, method, e.what()));
  } catch (...) {
    stream->Fail(UnexpectedException(call, method, "of unknown type"));
  }
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
    Add(method, [&method, make = std::move(make)](grpc::CallbackServerContext* context) {
      const NoWaiting here;
      auto* reactor = new UnaryReactor(method, *context, make());  // deletes itself at its end
      reactor->Receive();
      return reactor;
    });
  }

  void Add(const Method& method, std::size_t queue_limit, internal::MakeStream make) {
    Add(method,
        [&method, queue_limit, make = std::move(make)](grpc::CallbackServerContext* context) {
          const NoWaiting here;
          std::shared_ptr<internal::StreamWork> work = make();
          std::shared_ptr<EventStreamBase> stream = work->Open({method, *context, queue_limit});
          return stream->Receive(
              stream, [&method, work = std::move(work)](std::shared_ptr<EventStreamBase> own,
                                                        Call call, const ByteBuffer& bytes) {
                RunStream(std::move(own), method, work, std::move(call), bytes);
              });
        });
  }

 private:
  // All methods look like streams to gRPC. It would else read the request of a call before it shows
  // us the call.
  using Reactor = grpc::ServerBidiReactor<ByteBuffer, ByteBuffer>;

  void Add(const Method& method, std::function<Reactor*(grpc::CallbackServerContext*)> make) {
    AddMethod(new grpc::internal::RpcServiceMethod(
        method.path.c_str(), grpc::internal::RpcMethod::BIDI_STREAMING, nullptr));
    MarkMethodRawCallback(
        added_++, new grpc::internal::CallbackBidiHandler<ByteBuffer, ByteBuffer>(std::move(make)));
  }

  int added_ = 0;
};

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
  method->ResolveMetrics(*runtime_.metrics);
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
