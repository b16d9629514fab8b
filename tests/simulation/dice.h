// Dice: the randomness of one schedule. The same seed gives the same schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "libs/base/check.h"
#include "libs/base/random.h"
#include "libs/base/time.h"

namespace komadai::simulation {

// Chances are given in cases of this many.
inline constexpr int kAlways = 10'000;

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : random_(seed) {}

  std::uint64_t Next() { return random_.Next(); }
  // Never for 0, always for kAlways.
  bool Chance(int of_ten_thousand) {
    if (of_ten_thousand <= 0) return false;
    return random_.Below(kAlways) < static_cast<std::uint64_t>(of_ten_thousand);
  }
  // Uniform in [least, most].
  std::int64_t Between(std::int64_t least, std::int64_t most) {
    KOMADAI_CHECK(least <= most);
    return least +
           static_cast<std::int64_t>(random_.Below(static_cast<std::uint64_t>(most - least + 1)));
  }
  Millis MillisBetween(std::int64_t least, std::int64_t most) {
    return Millis(Between(least, most));
  }
  std::size_t Index(std::size_t size) { return static_cast<std::size_t>(random_.Below(size)); }
  template <typename T>
  T OneOf(const std::vector<T>& values) {
    return values[Index(values.size())];
  }

 private:
  SeededRandom random_;
};

}  // namespace komadai::simulation
