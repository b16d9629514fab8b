#include "services/clock/clock_service.h"

#include <utility>
#include <vector>

#include "libs/base/when_all.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "libs/rpc/server/unary.h"
#include "libs/rpc/status_proto.h"
#include "services/clock/convert.h"

namespace komadai::clock {
namespace {

using std::chrono::seconds;

// Every deadline of a full process may pass at once; 16,384 expiries are about 2 MiB.
constexpr std::size_t kExpiryQueue = 16384;
constexpr int kMaxBatch = 256;

rpc::MethodTable::Rows Rows() {
  const rpc::MethodOptions change{.max_deadline = seconds(2), .allow = rpc::kServices};
  return {
      {"StartClock", change},
      {"PressClock", change},
      {"PressClocks", change},
      {"GetClock", {.max_deadline = seconds(2), .allow = rpc::kAnyone}},
      {"StopClock", change},
      {"AdjustClock", change},
      {"WatchExpiries", {.max_deadline = rpc::kNoDeadline, .allow = rpc::kServices}},
  };
}

// Fills the field that every unary response has.
template <typename Response>
Response WithClock(const Answer& answer) {
  Response response;
  *response.mutable_clock() = convert::ToProto(answer.reading);
  return response;
}

}  // namespace

ClockService::ClockService(rpc::Runtime& runtime, Clocks& clocks, Expiries& expiries)
    : clocks_(clocks),
      expiries_(expiries),
      methods_(runtime, v1::ClockService::service_full_name(), Rows()),
      start_(methods_["StartClock"]),
      press_(methods_["PressClock"]),
      press_many_(methods_["PressClocks"]),
      get_(methods_["GetClock"]),
      stop_(methods_["StopClock"]),
      adjust_(methods_["AdjustClock"]),
      watch_(methods_["WatchExpiries"]) {}

grpc::ServerUnaryReactor* ClockService::StartClock(grpc::CallbackServerContext* context,
                                                   const v1::StartClockRequest* request,
                                                   v1::StartClockResponse* response) {
  return rpc::Unary(start_, context, request, response, this, &ClockService::DoStart);
}

grpc::ServerUnaryReactor* ClockService::PressClock(grpc::CallbackServerContext* context,
                                                   const v1::PressClockRequest* request,
                                                   v1::PressClockResponse* response) {
  return rpc::Unary(press_, context, request, response, this, &ClockService::DoPress);
}

grpc::ServerUnaryReactor* ClockService::PressClocks(grpc::CallbackServerContext* context,
                                                    const v1::PressClocksRequest* request,
                                                    v1::PressClocksResponse* response) {
  return rpc::Unary(press_many_, context, request, response, this, &ClockService::DoPressMany);
}

grpc::ServerUnaryReactor* ClockService::GetClock(grpc::CallbackServerContext* context,
                                                 const v1::GetClockRequest* request,
                                                 v1::GetClockResponse* response) {
  return rpc::Unary(get_, context, request, response, this, &ClockService::DoGet);
}

grpc::ServerUnaryReactor* ClockService::StopClock(grpc::CallbackServerContext* context,
                                                  const v1::StopClockRequest* request,
                                                  v1::StopClockResponse* response) {
  return rpc::Unary(stop_, context, request, response, this, &ClockService::DoStop);
}

grpc::ServerUnaryReactor* ClockService::AdjustClock(grpc::CallbackServerContext* context,
                                                    const v1::AdjustClockRequest* request,
                                                    v1::AdjustClockResponse* response) {
  return rpc::Unary(adjust_, context, request, response, this, &ClockService::DoAdjust);
}

grpc::ServerWriteReactor<v1::WatchExpiriesResponse>* ClockService::WatchExpiries(
    grpc::CallbackServerContext* context, const v1::WatchExpiriesRequest* request) {
  return rpc::Stream(watch_, context, request, this, &ClockService::DoWatch, kExpiryQueue);
}

Task<Result<v1::StartClockResponse>> ClockService::DoStart(rpc::Call /*call*/,
                                                           const v1::StartClockRequest& request) {
  const Result<StartCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Start(request.game_id(), command->control,
                                                       command->side_to_move, command->at);
  if (!answer) co_return answer.error();
  co_return WithClock<v1::StartClockResponse>(*answer);
}

Task<Result<v1::PressClockResponse>> ClockService::DoPress(rpc::Call /*call*/,
                                                           const v1::PressClockRequest& request) {
  Result<v1::PressClockResponse> response = co_await Press(request);
  co_return response;
}

Task<Result<v1::PressClocksResponse>> ClockService::DoPressMany(
    rpc::Call /*call*/, const v1::PressClocksRequest& request) {
  if (request.presses_size() > kMaxBatch) {
    co_return rpc::InvalidField(kInvalidRequest, "presses", "must be at most 256");
  }
  std::vector<Task<Result<v1::PressClockResponse>>> presses;
  presses.reserve(static_cast<std::size_t>(request.presses_size()));
  for (const v1::PressClockRequest& press : request.presses()) presses.push_back(Press(press));
  std::vector<Result<v1::PressClockResponse>> outcomes = co_await WhenAll(std::move(presses));
  v1::PressClocksResponse response;
  for (Result<v1::PressClockResponse>& outcome : outcomes) {
    v1::PressedClock& pressed = *response.add_presses();
    if (outcome) {
      *pressed.mutable_pressed() = *std::move(outcome);
    } else {
      *pressed.mutable_error() = rpc::ToStatusProto(outcome.error());
    }
  }
  co_return response;
}

Task<Result<v1::PressClockResponse>> ClockService::Press(const v1::PressClockRequest& request) {
  const Result<PressCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Press(request.game_id(), *command);
  if (!answer) co_return answer.error();
  v1::PressClockResponse response = WithClock<v1::PressClockResponse>(*answer);
  response.set_used_ms(answer->used.count());
  co_return response;
}

Task<Result<v1::GetClockResponse>> ClockService::DoGet(rpc::Call /*call*/,
                                                       const v1::GetClockRequest& request) {
  const Status id = CheckGameId(request.game_id());
  if (!id) co_return id.error();
  const Result<Answer> answer = co_await clocks_.Get(request.game_id());
  if (!answer) co_return answer.error();
  co_return WithClock<v1::GetClockResponse>(*answer);
}

Task<Result<v1::StopClockResponse>> ClockService::DoStop(rpc::Call /*call*/,
                                                         const v1::StopClockRequest& request) {
  const Result<StopCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Stop(request.game_id(), *command);
  if (!answer) co_return answer.error();
  co_return WithClock<v1::StopClockResponse>(*answer);
}

Task<Result<v1::AdjustClockResponse>> ClockService::DoAdjust(
    rpc::Call /*call*/, const v1::AdjustClockRequest& request) {
  const Result<Command> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Adjust(request.game_id(), *command);
  if (!answer) co_return answer.error();
  co_return WithClock<v1::AdjustClockResponse>(*answer);
}

Task<Result<rpc::AfterSetup>> ClockService::DoWatch(rpc::Call /*call*/,
                                                    v1::WatchExpiriesRequest /*request*/,
                                                    std::shared_ptr<ExpiryStream> stream) {
  stream->Publish(ToProto(nullptr));  // tells the client that it is being served
  const int id =
      expiries_.Watch([stream](const Expiry* expiry) { stream->Publish(ToProto(expiry)); });
  stream->OnEnd([this, id] { expiries_.Unwatch(id); });
  co_return rpc::AfterSetup::kStayOpen;
}

}  // namespace komadai::clock
