// How long a player who does not begin games or leaves them has to wait to seek again. Pure.
#pragma once

#include <optional>
#include <vector>

#include "libs/base/time.h"

namespace komadai::matchmaking {

inline constexpr Millis kOffencesCountFor{std::int64_t{12} * 3600 * 1000};
inline constexpr int kFreeOffences = 2;
inline constexpr Millis kFirstCooldown{60'000};
inline constexpr Millis kLongestCooldown{32 * 60'000};

// Until when a player with these offences has to wait: one minute after the third within twelve
// hours of `now`, twice as long after each further one. nullopt: the player may seek.
std::optional<TimePoint> CooldownUntil(const std::vector<TimePoint>& offences, TimePoint now);

}  // namespace komadai::matchmaking
