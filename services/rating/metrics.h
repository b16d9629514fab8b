// What the rating service counts.
#pragma once

#include "libs/telemetry/metrics.h"

namespace komadai::rating {

class RatingMetrics {
 public:
  explicit RatingMetrics(telemetry::Metrics& metrics)
      : results_(metrics.Counter("komadai_rating_results_total",
                                 "Results of finished games received.",
                                 {{"outcome", {"applied", "repeated", "ignored"}}})),
        sessions_(metrics.Counter("komadai_rating_sessions_total", "Sessions opened.",
                                  {{"kind", {"guest", "test"}}})) {}

  void OnApplied(bool repeated) { results_.With({repeated ? "repeated" : "applied"}).Increment(); }
  void OnIgnored() { results_.With({"ignored"}).Increment(); }
  void OnSession(std::string_view kind) { sessions_.With({kind}).Increment(); }

 private:
  telemetry::Counters& results_;
  telemetry::Counters& sessions_;
};

}  // namespace komadai::rating
