// How clocks are written in the store.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/result.h"
#include "services/clock/domain/live_clock.h"

namespace komadai::clock {

std::string EncodeClock(const LiveClock& clock);
Result<LiveClock> DecodeClock(std::string_view body);  // kCorruptClock

std::string EncodePress(const PressRecord& press);
Result<PressRecord> DecodePress(std::string_view event);  // kCorruptClock

// An expiry that another process has found.
struct AnnouncedExpiry {
  std::string origin;
  Expiry expiry;
};
std::string EncodeAnnouncement(const AnnouncedExpiry& announced);
Result<AnnouncedExpiry> DecodeAnnouncement(std::string_view payload);  // kCorruptClock

}  // namespace komadai::clock
