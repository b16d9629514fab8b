// Environment: what every part of one simulated world shares.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tests/simulation/dice.h"
#include "tests/simulation/scheduler.h"
#include "tests/simulation/trace.h"
#include "tests/simulation/weather.h"

namespace komadai::simulation {

// Faults of the services' own, which must be found: they show that the judge can.
enum class Sabotage {
  kNone,
  kForgetfulStore,    // a commit is acknowledged and dropped
  kPrematureFlag,     // a flag falls before its deadline, whatever the clock says
  kSilentClock,       // no deadline is ever announced
  kForgetfulArchive,  // a finished game is acknowledged and dropped
  kLossyWatch,        // an event of a stream is dropped
};

struct Environment {
  Environment(std::uint64_t seed, std::size_t trace_lines)
      : dice(seed), scheduler(dice), trace(trace_lines) {}

  Millis Delay() { return weather.Delay(dice); }
  // `words` returns a string and is called only if somebody will read it.
  template <typename Words>
  void Say(std::string_view actor, const Words& words) {
    if (trace.on()) trace.Add(scheduler.Elapsed(), actor, words());
  }

  Dice dice;
  Scheduler scheduler;
  Weather weather;
  Trace trace;
  bool always_calm = false;  // there was no fault from the beginning
  // Set when no fault happens any more; processes that are down come back a little later.
  std::optional<TimePoint> calm_since;
  Sabotage sabotage = Sabotage::kNone;
};

}  // namespace komadai::simulation
