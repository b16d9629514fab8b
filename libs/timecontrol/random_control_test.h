// Random time controls for property tests. Small numbers on purpose: boundaries are hit often.
#pragma once

#include <cstdint>

#include "libs/base/random.h"
#include "libs/timecontrol/clock.h"

namespace komadai::timecontrol {

inline constexpr TimePoint kStart{Millis(std::int64_t{1700000000000})};
inline constexpr Side kSides[] = {Side::kFirst, Side::kSecond};

inline Millis Below(Random& random, std::int64_t bound) {
  return Millis(static_cast<std::int64_t>(random.Below(static_cast<std::uint64_t>(bound))));
}

inline bool OneIn(Random& random, std::uint64_t n) { return random.Below(n) == 0; }

inline SideTime RandomSideTime(Random& random) {
  SideTime time;
  if (!OneIn(random, 3)) time.main = Below(random, 40);
  if (!OneIn(random, 3)) time.byoyomi = Below(random, 8);
  if (time.byoyomi > Millis(0)) time.byoyomi_periods = static_cast<int>(random.Below(4));
  if (OneIn(random, 3)) time.increment = Below(random, 6);
  if (OneIn(random, 3)) time.delay = Below(random, 6);
  return time;
}

inline TimeControl RandomControl(Random& random) {
  const SideTime first = RandomSideTime(random);
  return {.first = first, .second = OneIn(random, 2) ? first : RandomSideTime(random)};
}

}  // namespace komadai::timecontrol
