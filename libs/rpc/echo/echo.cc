#include "libs/rpc/echo/echo.h"

#include <google/protobuf/util/time_util.h>

#include <algorithm>
#include <stdexcept>

#include "komadai/internal/v1/echo.grpc.pb.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/service.h"
#include "libs/rpc/timer.h"

namespace komadai::rpc {
namespace {

namespace pb = ::komadai::internal::v1;
using google::protobuf::util::TimeUtil;

constexpr Reason kBadCode{Code::kInvalidArgument, "BAD_CODE"};
constexpr std::uint64_t kMaxCount = 100000;
constexpr std::uint32_t kMaxPayloadBytes = 1024 * 1024;

Error AskedFor(const pb::EchoRequest& request) {
  if (request.fail_code() < 1 || request.fail_code() > 16) {
    return InvalidField(kBadCode, "fail_code", "must be from 1 to 16");
  }
  std::map<std::string, std::string> metadata;
  metadata["payload"] = request.payload();
  return Error::FromWire(static_cast<Code>(request.fail_code()), request.fail_reason(),
                         "as asked for", std::move(metadata));
}

class EchoService final : public Service {
 public:
  explicit EchoService(Runtime& runtime) : Service(runtime, pb::EchoService::service_full_name()) {
    Unary(&EchoService::Echo, {.max_deadline = Millis(5000), .allow = kAnyone});
    Stream(&EchoService::WatchEcho, {.max_deadline = kNoDeadline, .allow = kAuthenticated});
  }

 private:
  using Watcher = EventStream<pb::WatchEchoResponse>;

  Task<Result<pb::EchoResponse>> Echo(Call call, const pb::EchoRequest& request) {
    const Millis remaining = call.Remaining();
    if (request.throw_exception()) throw std::runtime_error("as asked for");
    if (request.has_delay()) {
      co_await SleepFor(Millis(TimeUtil::DurationToMilliseconds(request.delay())));
    }
    if (request.fail_code() != 0) co_return AskedFor(request);
    pb::EchoResponse response;
    response.set_payload(request.payload());
    response.set_caller_id(call.caller().id);
    response.set_request_id(call.request_id());
    *response.mutable_remaining_duration() = TimeUtil::MillisecondsToDuration(remaining.count());
    co_return std::move(response);
  }

  Task<Result<AfterSetup>> WatchEcho(Call /*call*/, pb::WatchEchoRequest request,
                                     std::shared_ptr<Watcher> stream) {
    const std::uint64_t first = request.resume_after_sequence() + 1;
    const std::uint64_t count = std::clamp<std::uint64_t>(request.count(), 1, kMaxCount);
    for (std::uint64_t i = 0; i < count; ++i) {
      pb::WatchEchoResponse response;
      response.set_sequence(first + i);
      response.set_payload(std::string(std::min(request.payload_bytes(), kMaxPayloadBytes), 'x'));
      if (!stream->Publish(std::move(response))) break;
    }
    co_return request.count() == 0 ? AfterSetup::kStayOpen : AfterSetup::kComplete;
  }
};

class RawEchoService final : public pb::RawEchoService::CallbackService {
  grpc::ServerUnaryReactor* RawEcho(grpc::CallbackServerContext* context,
                                    const pb::RawEchoRequest* request,
                                    pb::RawEchoResponse* response) override {
    response->set_payload(request->payload());
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }
};

class EchoComponentImpl final : public Component {
 public:
  explicit EchoComponentImpl(BindContext& context) : service_(context.runtime) {}
  std::vector<Service*> Services() override { return {&service_}; }
  std::vector<grpc::Service*> PlainServices() override { return {&raw_}; }

 private:
  EchoService service_;
  RawEchoService raw_;
};

}  // namespace

ComponentSpec EchoComponent() {
  return {.name = "echo", .bind = [](BindContext& context) -> Result<std::unique_ptr<Component>> {
            return std::unique_ptr<Component>(std::make_unique<EchoComponentImpl>(context));
          }};
}

}  // namespace komadai::rpc
