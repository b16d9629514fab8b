#include "services/clock/clock_service.h"

#include <utility>
#include <vector>

#include "libs/base/when_all.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "libs/rpc/status_proto.h"
#include "services/clock/convert.h"

namespace komadai::clock {
namespace {

using std::chrono::seconds;

// Every deadline of a full process may pass at once; 16,384 expiries are about 2 MiB.
constexpr std::size_t kExpiryQueue = 16384;
constexpr int kMaxBatch = 256;

// Fills the field that every unary response has.
template <typename Response>
Response WithClock(const Answer& answer) {
  Response response;
  *response.mutable_clock() = convert::ToProto(answer.reading);
  return response;
}

}  // namespace

ClockService::ClockService(rpc::Runtime& runtime, Clocks& clocks, Expiries& expiries)
    : Service(runtime, "komadai.clock.v1.ClockService"), clocks_(clocks), expiries_(expiries) {
  const rpc::MethodOptions change{.max_deadline = seconds(2), .allow = rpc::kServices};
  Unary(&ClockService::StartClock, change);
  Unary(&ClockService::PressClock, change);
  Unary(&ClockService::PressClocks, change);
  Unary(&ClockService::GetClock, {.max_deadline = seconds(2), .allow = rpc::kAnyone});
  Unary(&ClockService::StopClock, change);
  Unary(&ClockService::AdjustClock, change);
  Stream(&ClockService::WatchExpiries, {.max_deadline = rpc::kNoDeadline, .allow = rpc::kServices},
         kExpiryQueue);
}

Task<Result<pb::StartClockResponse>> ClockService::StartClock(
    rpc::Call /*call*/, const pb::StartClockRequest& request) {
  const Result<StartCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Start(request.game_id(), command->control,
                                                       command->side_to_move, command->at);
  if (!answer) co_return answer.error();
  co_return WithClock<pb::StartClockResponse>(*answer);
}

Task<Result<pb::PressClockResponse>> ClockService::PressClock(
    rpc::Call /*call*/, const pb::PressClockRequest& request) {
  Result<pb::PressClockResponse> response = co_await Press(request);
  co_return response;
}

Task<Result<pb::PressClocksResponse>> ClockService::PressClocks(
    rpc::Call /*call*/, const pb::PressClocksRequest& request) {
  if (request.presses_size() > kMaxBatch) {
    co_return rpc::InvalidField(kInvalidRequest, "presses", "must be at most 256");
  }
  std::vector<Task<Result<pb::PressClockResponse>>> presses;
  presses.reserve(static_cast<std::size_t>(request.presses_size()));
  for (const pb::PressClockRequest& press : request.presses()) presses.push_back(Press(press));
  std::vector<Result<pb::PressClockResponse>> outcomes = co_await WhenAll(std::move(presses));
  pb::PressClocksResponse response;
  for (Result<pb::PressClockResponse>& outcome : outcomes) {
    pb::PressedClock& pressed = *response.add_presses();
    if (outcome) {
      *pressed.mutable_pressed() = *std::move(outcome);
    } else {
      *pressed.mutable_error() = rpc::ToStatusProto(outcome.error());
    }
  }
  co_return response;
}

Task<Result<pb::PressClockResponse>> ClockService::Press(const pb::PressClockRequest& request) {
  const Result<PressCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Press(request.game_id(), *command);
  if (!answer) co_return answer.error();
  pb::PressClockResponse response = WithClock<pb::PressClockResponse>(*answer);
  response.set_used_ms(answer->used.count());
  co_return response;
}

Task<Result<pb::GetClockResponse>> ClockService::GetClock(rpc::Call /*call*/,
                                                          const pb::GetClockRequest& request) {
  const Status id = CheckGameId(request.game_id());
  if (!id) co_return id.error();
  const Result<Answer> answer = co_await clocks_.Get(request.game_id());
  if (!answer) co_return answer.error();
  co_return WithClock<pb::GetClockResponse>(*answer);
}

Task<Result<pb::StopClockResponse>> ClockService::StopClock(rpc::Call /*call*/,
                                                            const pb::StopClockRequest& request) {
  const Result<StopCommand> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Stop(request.game_id(), *command);
  if (!answer) co_return answer.error();
  co_return WithClock<pb::StopClockResponse>(*answer);
}

Task<Result<pb::AdjustClockResponse>> ClockService::AdjustClock(
    rpc::Call /*call*/, const pb::AdjustClockRequest& request) {
  const Result<Command> command = FromProto(request);
  if (!command) co_return command.error();
  const Result<Answer> answer = co_await clocks_.Adjust(request.game_id(), *command);
  if (!answer) co_return answer.error();
  co_return WithClock<pb::AdjustClockResponse>(*answer);
}

Task<Result<rpc::AfterSetup>> ClockService::WatchExpiries(rpc::Call /*call*/,
                                                          pb::WatchExpiriesRequest /*request*/,
                                                          std::shared_ptr<ExpiryStream> stream) {
  stream->Publish(ToProto(nullptr));  // tells the client that it is being served
  const int id =
      expiries_.Watch([stream](const Expiry* expiry) { stream->Publish(ToProto(expiry)); });
  stream->OnEnd([this, id] { expiries_.Unwatch(id); });
  co_return rpc::AfterSetup::kStayOpen;
}

}  // namespace komadai::clock
