#include "services/matchmaking/domain/cooldown.h"

#include <algorithm>

namespace komadai::matchmaking {

std::optional<TimePoint> CooldownUntil(const std::vector<TimePoint>& offences, TimePoint now) {
  int counted = 0;
  TimePoint last{};
  for (const TimePoint offence : offences) {
    if (now - offence >= kOffencesCountFor) continue;
    ++counted;
    last = std::max(last, offence);
  }
  if (counted <= kFreeOffences) return std::nullopt;
  Millis cooldown = kFirstCooldown;
  for (int i = kFreeOffences + 1; i < counted && cooldown < kLongestCooldown; ++i) cooldown *= 2;
  const TimePoint until = last + std::min(cooldown, kLongestCooldown);
  return now < until ? std::optional(until) : std::nullopt;
}

}  // namespace komadai::matchmaking
