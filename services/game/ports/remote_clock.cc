#include "services/game/ports/remote_clock.h"

#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"
#include "libs/rpc/component.h"
#include "libs/rpc/status_proto.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

namespace clock_pb = ::komadai::clock::v1;
using Reading = timecontrol::Reading;

constexpr rpc::CallOptions kClockCall{.timeout = Millis(2000), .idempotent = true};
// A second's worth of presses at the highest rate measured; each is some 200 bytes.
constexpr rpc::BatchLimits kPressBatches{
    .max_batch = 128, .max_in_flight = 2, .max_waiting = 16384};

template <typename Response>
Result<Reading> ReadingOf(Result<Response> response) {
  if (!response) return std::move(response).error();
  return convert::ReadingFromProto(response->clock());
}

clock_pb::AdjustClockRequest Adjustment(const std::string& game_id, const std::string& request_id,
                                        TimePoint at) {
  clock_pb::AdjustClockRequest request;
  request.set_request_id(request_id);
  request.set_game_id(game_id);
  request.set_at_ms(ToUnixMillis(at));
  return request;
}

PressedClock PressedOf(const clock_pb::PressClockResponse& response) {
  return {convert::ReadingFromProto(response.clock()), Millis(response.used_ms())};
}

}  // namespace

RemoteClock::RemoteClock(rpc::BindContext& context)
    : time_(context.time),
      clock_(context, "clock"),
      presses_(kPressBatches, [this](std::vector<WaitingPress> presses, rpc::Deadline latest) {
        return PressAll(std::move(presses), latest);
      }) {}

Task<Result<Reading>> RemoteClock::Start(rpc::Call call, std::string game_id,
                                         timecontrol::TimeControl control, Side to_move,
                                         TimePoint at) {
  clock_pb::StartClockRequest request;
  request.set_game_id(std::move(game_id));
  *request.mutable_time_control() = convert::ToProto(control);
  request.set_side_to_move(convert::ToProto(to_move));
  request.set_at_ms(ToUnixMillis(at));
  Result<clock_pb::StartClockResponse> response =
      co_await clock_.Call<clock_pb::StartClockResponse>(call, std::move(request), kClockCall);
  co_return ReadingOf(std::move(response));
}

Task<Result<PressedClock>> RemoteClock::Press(rpc::Call call, std::string game_id, int ply,
                                              Side side, TimePoint at,
                                              std::optional<Millis> thinking) {
  clock_pb::PressClockRequest request;
  request.set_game_id(std::move(game_id));
  request.set_ply(ply);
  request.set_side(convert::ToProto(side));
  request.set_at_ms(ToUnixMillis(at));
  if (thinking) request.set_thinking_ms(thinking->count());
  WaitingPress press{std::move(request), call.request_id()};
  Result<PressedClock> pressed = co_await presses_.Do(std::move(press), call.deadline());
  co_return pressed;
}

Task<RemoteClock::Presses::Outcomes> RemoteClock::PressAll(std::vector<WaitingPress> presses,
                                                           rpc::Deadline latest) {
  const rpc::Call call = rpc::Call::Background(presses.front().request_id, time_, latest);
  clock_pb::PressClocksRequest request;
  request.mutable_presses()->Reserve(static_cast<int>(presses.size()));
  for (WaitingPress& press : presses) *request.add_presses() = std::move(press.request);
  Result<clock_pb::PressClocksResponse> response =
      co_await clock_.Call<clock_pb::PressClocksResponse>(call, std::move(request), kClockCall);
  if (!response) co_return std::move(response).error();
  if (response->presses_size() != static_cast<int>(presses.size())) {
    co_return Error(kInternal, "the clock service answered another number of presses");
  }
  std::vector<Result<PressedClock>> outcomes;
  outcomes.reserve(presses.size());
  for (const clock_pb::PressedClock& outcome : response->presses()) {
    if (outcome.has_pressed()) {
      outcomes.emplace_back(PressedOf(outcome.pressed()));
    } else {
      outcomes.emplace_back(rpc::FromStatusProto(outcome.error()));
    }
  }
  co_return outcomes;
}

Task<Result<Reading>> RemoteClock::Read(rpc::Call call, std::string game_id) {
  clock_pb::GetClockRequest request;
  request.set_game_id(std::move(game_id));
  Result<clock_pb::GetClockResponse> response =
      co_await clock_.Call<clock_pb::GetClockResponse>(call, std::move(request), kClockCall);
  co_return ReadingOf(std::move(response));
}

Task<Result<Reading>> RemoteClock::Stop(rpc::Call call, std::string game_id, TimePoint at) {
  clock_pb::StopClockRequest request;
  request.set_game_id(std::move(game_id));
  request.set_at_ms(ToUnixMillis(at));
  Result<clock_pb::StopClockResponse> response =
      co_await clock_.Call<clock_pb::StopClockResponse>(call, std::move(request), kClockCall);
  co_return ReadingOf(std::move(response));
}

Task<Result<Reading>> RemoteClock::AddTime(rpc::Call call, std::string game_id,
                                           std::string request_id, Side side, Millis add,
                                           TimePoint at) {
  clock_pb::AdjustClockRequest request = Adjustment(game_id, request_id, at);
  request.mutable_add()->set_side(convert::ToProto(side));
  request.mutable_add()->set_add_ms(add.count());
  return Adjust(call, std::move(request));
}

Task<Result<Reading>> RemoteClock::Rewind(rpc::Call call, std::string game_id,
                                          std::string request_id, int ply, Side to_move,
                                          TimePoint at, bool restart) {
  clock_pb::AdjustClockRequest request = Adjustment(game_id, request_id, at);
  request.mutable_rewind()->set_ply(ply);
  request.mutable_rewind()->set_side_to_move(convert::ToProto(to_move));
  request.mutable_rewind()->set_restart(restart);
  return Adjust(call, std::move(request));
}

Task<Result<Reading>> RemoteClock::Pause(rpc::Call call, std::string game_id,
                                         std::string request_id, int ply, TimePoint at) {
  clock_pb::AdjustClockRequest request = Adjustment(game_id, request_id, at);
  request.mutable_pause()->set_ply(ply);
  return Adjust(call, std::move(request));
}

Task<Result<Reading>> RemoteClock::Resume(rpc::Call call, std::string game_id,
                                          std::string request_id, int ply, TimePoint at) {
  clock_pb::AdjustClockRequest request = Adjustment(game_id, request_id, at);
  request.mutable_resume()->set_ply(ply);
  return Adjust(call, std::move(request));
}

Task<Result<Reading>> RemoteClock::Adjust(rpc::Call call, clock_pb::AdjustClockRequest request) {
  Result<clock_pb::AdjustClockResponse> response =
      co_await clock_.Call<clock_pb::AdjustClockResponse>(call, std::move(request), kClockCall);
  co_return ReadingOf(std::move(response));
}

}  // namespace komadai::game
