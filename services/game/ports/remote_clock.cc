#include "services/game/ports/remote_clock.h"

#include <utility>

#include "libs/convert/time_control.h"
#include "libs/convert/variant.h"

namespace komadai::game {
namespace {

namespace clock_pb = ::komadai::clock::v1;
using Api = rpc::Client<clock_pb::ClockService>::Api;
using Reading = timecontrol::Reading;

constexpr rpc::CallOptions kQuick{.timeout = Millis(2000), .idempotent = true};

template <typename Response>
Result<Reading> ReadingOf(Result<Response> response) {
  if (!response) return std::move(response).error();
  return convert::ReadingFromProto(response->clock());
}

}  // namespace

Task<Result<Reading>> RemoteClock::Start(rpc::Call call, std::string game_id,
                                         timecontrol::TimeControl control, Side to_move,
                                         TimePoint at) {
  clock_pb::StartClockRequest request;
  request.set_game_id(std::move(game_id));
  *request.mutable_time_control() = convert::ToProto(control);
  request.set_side_to_move(convert::ToProto(to_move));
  request.set_at_ms(ToUnixMillis(at));
  Result<clock_pb::StartClockResponse> response =
      co_await clock_.Call(call, &Api::StartClock, std::move(request), kQuick);
  co_return ReadingOf(std::move(response));
}

Task<Result<PressedClock>> RemoteClock::Press(rpc::Call call, std::string game_id, int ply,
                                              Side side, TimePoint at) {
  clock_pb::PressClockRequest request;
  request.set_game_id(std::move(game_id));
  request.set_ply(ply);
  request.set_side(convert::ToProto(side));
  request.set_at_ms(ToUnixMillis(at));
  Result<clock_pb::PressClockResponse> response =
      co_await clock_.Call(call, &Api::PressClock, std::move(request), kQuick);
  if (!response) co_return std::move(response).error();
  co_return PressedClock{convert::ReadingFromProto(response->clock()), Millis(response->used_ms())};
}

Task<Result<Reading>> RemoteClock::Read(rpc::Call call, std::string game_id) {
  clock_pb::GetClockRequest request;
  request.set_game_id(std::move(game_id));
  Result<clock_pb::GetClockResponse> response =
      co_await clock_.Call(call, &Api::GetClock, std::move(request), kQuick);
  co_return ReadingOf(std::move(response));
}

Task<Result<Reading>> RemoteClock::Stop(rpc::Call call, std::string game_id, TimePoint at) {
  clock_pb::StopClockRequest request;
  request.set_game_id(std::move(game_id));
  request.set_at_ms(ToUnixMillis(at));
  Result<clock_pb::StopClockResponse> response =
      co_await clock_.Call(call, &Api::StopClock, std::move(request), kQuick);
  co_return ReadingOf(std::move(response));
}

Task<Result<Reading>> RemoteClock::AddTime(rpc::Call call, std::string game_id,
                                           std::string request_id, Side side, Millis add,
                                           TimePoint at) {
  clock_pb::AdjustClockRequest request;
  request.set_request_id(std::move(request_id));
  request.set_game_id(std::move(game_id));
  request.set_at_ms(ToUnixMillis(at));
  request.mutable_add()->set_side(convert::ToProto(side));
  request.mutable_add()->set_add_ms(add.count());
  Result<clock_pb::AdjustClockResponse> response =
      co_await clock_.Call(call, &Api::AdjustClock, std::move(request), kQuick);
  co_return ReadingOf(std::move(response));
}

Task<Result<Reading>> RemoteClock::Rewind(rpc::Call call, std::string game_id,
                                          std::string request_id, int ply, Side to_move,
                                          TimePoint at) {
  clock_pb::AdjustClockRequest request;
  request.set_request_id(std::move(request_id));
  request.set_game_id(std::move(game_id));
  request.set_at_ms(ToUnixMillis(at));
  request.mutable_rewind()->set_ply(ply);
  request.mutable_rewind()->set_side_to_move(convert::ToProto(to_move));
  Result<clock_pb::AdjustClockResponse> response =
      co_await clock_.Call(call, &Api::AdjustClock, std::move(request), kQuick);
  co_return ReadingOf(std::move(response));
}

}  // namespace komadai::game
