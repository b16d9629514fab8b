#include "services/clock/clock_component.h"

#include <utility>

#include "libs/base/random.h"
#include "libs/base/sync_wait.h"

namespace komadai::clock {

ClockComponentImpl::ClockComponentImpl(const ClockConfig& config,
                                       std::shared_ptr<livestore::LiveStore> store,
                                       rpc::BindContext& context)
    : live_store_(std::move(store)),
      metrics_(context.metrics),
      store_(*live_store_),
      expiries_(store_, context.time, RandomId(context.random),
                {.sweep_interval = config.sweep_interval,
                 .heartbeat_interval = config.heartbeat_interval},
                metrics_, context.log),
      clocks_(store_, static_cast<std::size_t>(config.cached_clocks), context.time, metrics_,
              [this](const std::string& game_id, const StoredClock& stored) {
                expiries_.ClockChanged(game_id, stored);
              }),
      service_(context.runtime, clocks_, expiries_),
      ticker_(expiries_, context.time),
      start_ticker_(config.run_ticker) {
  context.AddReadinessCheck("live-store", [this] { return SyncWait(store_.Ping()); });
}

Status ClockComponentImpl::Start() {
  expiries_.Open();
  if (start_ticker_) ticker_.Start();
  return {};
}

void ClockComponentImpl::Stop() {
  ticker_.Stop();
  expiries_.Close();
}

}  // namespace komadai::clock
