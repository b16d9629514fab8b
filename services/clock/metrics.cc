#include "services/clock/metrics.h"

namespace komadai::clock {
namespace {

telemetry::Counters& Presses(telemetry::Metrics& metrics) {
  return metrics.Counter("komadai_clock_presses_total", "Presses of clocks, by outcome.",
                         {{"outcome", {"charged", "repeated", "too_late", "refused"}}});
}

telemetry::Counters& Retries(telemetry::Metrics& metrics) {
  return metrics.Counter("komadai_clock_retries_total",
                         "Commits that had to be decided again, by cause.",
                         {{"cause", {"conflict", "in_doubt"}}});
}

telemetry::Counters& Expiries(telemetry::Metrics& metrics) {
  return metrics.Counter(
      "komadai_clock_expiries_total",
      "Passed deadlines, repeats included: told of own clocks, of clocks found by the sweep, heard "
      "from other replicas, and withdrawn because the clock had changed.",
      {{"source", {"own", "adopted", "remote", "withdrawn"}}});
}

}  // namespace

ClockMetrics::ClockMetrics(telemetry::Metrics& metrics)
    : presses_charged(Presses(metrics).With({"charged"})),
      presses_repeated(Presses(metrics).With({"repeated"})),
      presses_too_late(Presses(metrics).With({"too_late"})),
      presses_refused(Presses(metrics).With({"refused"})),
      conflicts(Retries(metrics).With({"conflict"})),
      in_doubt(Retries(metrics).With({"in_doubt"})),
      expiries_own(Expiries(metrics).With({"own"})),
      expiries_adopted(Expiries(metrics).With({"adopted"})),
      expiries_remote(Expiries(metrics).With({"remote"})),
      expiries_withdrawn(Expiries(metrics).With({"withdrawn"})),
      lateness(metrics
                   .Histogram("komadai_clock_expiry_lateness_seconds",
                              "From a deadline to its first announcement by this process.", {},
                              {0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10})
                   .Get()),
      running(metrics
                  .Gauge("komadai_clock_running",
                         "Clocks that run against a deadline, in the whole store.")
                  .Get()),
      timers(
          metrics.Gauge("komadai_clock_timers", "Deadlines this process has a timer for.").Get()),
      watchers(metrics.Gauge("komadai_clock_watchers", "Open streams of expiries.").Get()),
      sweep_failures(metrics
                         .Counter("komadai_clock_sweep_failures_total",
                                  "Sweeps of a shard that failed because of the store.")
                         .Get()) {}

}  // namespace komadai::clock
