// Requests and answers of the contract to and from the domain. All refusals are INVALID_ARGUMENT.
#pragma once

#include <string>

#include "komadai/clock/v1/clock.pb.h"
#include "libs/base/result.h"
#include "services/clock/domain/live_clock.h"

namespace komadai::clock {

namespace pb = ::komadai::clock::v1;
namespace common_pb = ::komadai::common::v1;

inline constexpr std::size_t kMaxGameIdBytes = 64;

Status CheckGameId(const std::string& game_id);

struct StartCommand {
  timecontrol::TimeControl control;
  Side side_to_move = Side::kFirst;
  TimePoint at;
};
Result<StartCommand> FromProto(const pb::StartClockRequest& request);
Result<PressCommand> FromProto(const pb::PressClockRequest& request);
Result<StopCommand> FromProto(const pb::StopClockRequest& request);
// AddTimeCommand, RewindCommand, PauseCommand or ResumeCommand.
Result<Command> FromProto(const pb::AdjustClockRequest& request);

// nullptr: a heartbeat.
pb::WatchExpiriesResponse ToProto(const Expiry* expiry);

}  // namespace komadai::clock
