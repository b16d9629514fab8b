// What the matchmaking service counts.
#pragma once

#include "libs/base/time.h"
#include "libs/telemetry/metrics.h"

namespace komadai::matchmaking {

class MatchMetrics {
 public:
  explicit MatchMetrics(telemetry::Metrics& metrics);

  // Seeks that were waiting when a wave began, and how long finding the pairs took.
  void Wave(std::size_t waiting, double seconds);
  // A seek found an opponent after this wait.
  void MatchedWithPerson(Millis wait);
  void MatchedWithComputer(Millis wait);
  // Somebody else had changed one of the two seeks.
  void Conflict();
  // A pair without a game: "refused" (the game service), "declined" or "unanswered".
  void Dissolved(std::string_view why);
  // Pairs that wait until their games are created.
  void Queued(std::size_t pairs);
  // The queue was full: a pair is left to the next sweep.
  void Postponed();
  // A seek was refused because its player has left games.
  void CoolingDown();

 private:
  prometheus::Gauge& waiting_;
  prometheus::Histogram& wave_;
  telemetry::Histograms& wait_;
  prometheus::Counter& conflicts_;
  telemetry::Counters& dissolved_;
  prometheus::Gauge& queued_;
  prometheus::Counter& postponed_;
  prometheus::Counter& cooling_down_;
};

}  // namespace komadai::matchmaking
