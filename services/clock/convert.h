// Requests and answers of the contract to and from the domain. All refusals are INVALID_ARGUMENT.
#pragma once

#include <string>

#include "komadai/clock/v1/clock.pb.h"
#include "libs/base/result.h"
#include "services/clock/domain/live_clock.h"

namespace komadai::clock {

namespace v1 = ::komadai::clock::v1;

inline constexpr std::size_t kMaxGameIdBytes = 64;

Status CheckGameId(const std::string& game_id);

struct StartCommand {
  timecontrol::TimeControl control;
  Side side_to_move = Side::kFirst;
  TimePoint at;
};
Result<StartCommand> FromProto(const v1::StartClockRequest& request);
Result<PressCommand> FromProto(const v1::PressClockRequest& request);
Result<StopCommand> FromProto(const v1::StopClockRequest& request);
// AddTimeCommand, RewindCommand, PauseCommand or ResumeCommand.
Result<Command> FromProto(const v1::AdjustClockRequest& request);

// nullptr: a heartbeat.
v1::WatchExpiriesResponse ToProto(const Expiry* expiry);

}  // namespace komadai::clock
