// ClockComponentImpl: the service with everything behind it, on a store that somebody else opened.
#pragma once

#include <memory>
#include <vector>

#include "libs/livestore/live_store.h"
#include "libs/rpc/component.h"
#include "services/clock/app/clock_metrics.h"
#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"
#include "services/clock/app/ticker.h"
#include "services/clock/clock_service.h"
#include "services/clock/config.h"
#include "services/clock/store/clock_store.h"

namespace komadai::clock {

class ClockComponentImpl final : public rpc::Component {
 public:
  ClockComponentImpl(const ClockConfig& config, std::shared_ptr<livestore::LiveStore> store,
                     rpc::BindContext& context);

  std::vector<rpc::Service*> Services() override { return {&service_}; }
  Status Start() override;
  void Stop() override;

  // For tests that tick by hand.
  Expiries& expiries() { return expiries_; }

 private:
  const std::shared_ptr<livestore::LiveStore> live_store_;
  ClockMetrics metrics_;
  ClockStore store_;
  Expiries expiries_;
  Clocks clocks_;
  ClockService service_;
  Ticker ticker_;
  const bool start_ticker_;
};

}  // namespace komadai::clock
