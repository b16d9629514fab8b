// RatingComponentImpl: wires the rating service together on a database that is already open.
#pragma once

#include <memory>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/component.h"
#include "libs/rpc/timer.h"
#include "libs/sql/database.h"
#include "services/rating/config.h"
#include "services/rating/metrics.h"
#include "services/rating/rating_service.h"
#include "services/rating/sessions.h"
#include "services/rating/store/rating_store.h"

namespace komadai::rating {

class RatingComponentImpl final : public rpc::Component {
 public:
  RatingComponentImpl(const RatingConfig& config, std::shared_ptr<sql::Database> database,
                      rpc::BindContext& context);

  std::vector<rpc::Service*> Services() override { return {&service_}; }
  Status Start() override;
  void Stop() override { forget_.reset(); }

 private:
  Task<void> ForgetGuests();

  const TimeSource& time_;
  telemetry::Logger log_;
  const Millis guest_memory_;
  RatingMetrics metrics_;
  RatingStore store_;
  Sessions sessions_;
  RatingService service_;
  std::unique_ptr<rpc::PeriodicTask> forget_;
};

// The component on that database, for tests.
rpc::ComponentSpec RatingComponentOn(std::shared_ptr<sql::Database> database, RatingConfig config);

}  // namespace komadai::rating
