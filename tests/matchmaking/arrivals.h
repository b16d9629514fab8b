// Arrivals: players who start looking for games over some time, generated from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "services/matchmaking/app/seek_desk.h"

namespace komadai::matchmaking {

struct Arrival {
  Millis at{0};  // since the beginning
  NewSeek wish;
  int rating = 0;  // 0: no rated game yet
};

struct ArrivalPlan {
  int players = 10'000;
  Millis over{std::int64_t{3600} * 1000};
  std::uint64_t seed = 1;
};

// In the order of time. Two variants, three time controls (a third of the players take a second
// one), ratings around 1400 with a standard deviation of 300 between 400 and 2600, one in seven
// without a rating, one in seven with a wish for a side, one in ten with a range of their own.
std::vector<Arrival> MakeArrivals(const ArrivalPlan& plan);

}  // namespace komadai::matchmaking
