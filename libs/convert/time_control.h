// Time controls and clock readings between the contract and libs/timecontrol.
#pragma once

#include "komadai/common/v1/time_control.pb.h"
#include "libs/base/result.h"
#include "libs/convert/variant.h"
#include "libs/timecontrol/clock.h"

namespace komadai::convert {

// A reason of timecontrol::Validate when a value is out of range.
Result<timecontrol::TimeControl> TimeControlFromProto(const pb::TimeControl& control);
// The second side is spelled out only where it differs.
pb::TimeControl ToProto(const timecontrol::TimeControl& control);

pb::ClockReading ToProto(const timecontrol::Reading& reading);
// Of another service's answer: trusted to be well-formed.
timecontrol::Reading ReadingFromProto(const pb::ClockReading& reading);

}  // namespace komadai::convert
