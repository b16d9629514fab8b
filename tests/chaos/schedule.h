// Schedule: which part of the stack is hurt when, for how long and how; follows from a seed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libs/base/time.h"

namespace komadai::chaos {

struct Fault {
  enum class Kind : std::uint8_t {
    kKill,   // kill -9; started again after `lasts`
    kDrain,  // SIGTERM; started again `lasts` after it has ended
    kStall,  // SIGSTOP; it continues after `lasts`
  };
  Millis at{0};  // since the start of the run
  std::string part = {};
  Kind kind = Kind::kKill;
  Millis lasts{0};
};
const char* NameOf(Fault::Kind kind);

struct Part {
  std::string name;
  bool only_kills = false;  // stores, which others start and stop
};

// Faults until `duration`, `gap` apart on average. They come in rounds: each hurts every part once,
// in random order, and the first round kills. Faults may overlap: a part may be hurt while others
// are down.
std::vector<Fault> MakeSchedule(std::uint64_t seed, Millis duration, Millis gap,
                                const std::vector<Part>& parts);

// A rolling restart, round after round: every part in turn is drained and started again, the next
// one `gap` later.
std::vector<Fault> MakeRollingRestart(Millis duration, Millis gap, const std::vector<Part>& parts);

// A gap that lets the first round fit into `duration`, but no longer than `gap`.
Millis GapFor(Millis duration, std::size_t parts, Millis gap);

}  // namespace komadai::chaos
