#include "services/matchmaking/metrics.h"

namespace komadai::matchmaking {

MatchMetrics::MatchMetrics(telemetry::Metrics& metrics)
    : waiting_(metrics
                   .Gauge("komadai_matchmaking_waiting",
                          "Waiting seeks in the last wave of this replica.")
                   .Get()),
      wave_(metrics
                .Histogram("komadai_matchmaking_wave_seconds",
                           "Finding the pairs of a wave, without committing them.")
                .Get()),
      wait_(metrics.Histogram("komadai_matchmaking_wait_seconds",
                              "How long seeks waited until they found an opponent.",
                              {{"opponent", {"person", "computer"}}},
                              {0.5, 1, 2, 5, 10, 20, 30, 45, 60, 90, 120, 300, 600})),
      conflicts_(metrics
                     .Counter("komadai_matchmaking_conflicts_total",
                              "Pairs that were not made because a seek had changed meanwhile.")
                     .Get()),
      dissolved_(metrics.Counter("komadai_matchmaking_dissolved_total",
                                 "Pairs that came to no game, by why.",
                                 {{"why", {"refused", "declined", "unanswered"}}})),
      queued_(metrics
                  .Gauge("komadai_matchmaking_queued_pairs",
                         "Pairs that wait until their games are created by this replica.")
                  .Get()),
      postponed_(metrics
                     .Counter("komadai_matchmaking_postponed_total",
                              "Pairs left to the next sweep because the queue was full.")
                     .Get()),
      cooling_down_(metrics
                        .Counter("komadai_matchmaking_cooling_down_total",
                                 "Seeks refused because their player had left games.")
                        .Get()) {}

void MatchMetrics::Wave(std::size_t waiting, double seconds) {
  waiting_.Set(static_cast<double>(waiting));
  wave_.Observe(seconds);
}

void MatchMetrics::MatchedWithPerson(Millis wait) {
  wait_.With({"person"}).Observe(static_cast<double>(wait.count()) / 1e3);
}

void MatchMetrics::MatchedWithComputer(Millis wait) {
  wait_.With({"computer"}).Observe(static_cast<double>(wait.count()) / 1e3);
}

void MatchMetrics::Conflict() { conflicts_.Increment(); }

void MatchMetrics::Dissolved(std::string_view why) { dissolved_.With({why}).Increment(); }

void MatchMetrics::Queued(std::size_t pairs) { queued_.Set(static_cast<double>(pairs)); }

void MatchMetrics::Postponed() { postponed_.Increment(); }

void MatchMetrics::CoolingDown() { cooling_down_.Increment(); }

}  // namespace komadai::matchmaking
