#include "services/clock/bind.h"

#include <memory>
#include <utility>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/sync_wait.h"
#include "libs/stores/stores.h"
#include "services/clock/app/clocks.h"
#include "services/clock/app/expiries.h"
#include "services/clock/app/ticker.h"
#include "services/clock/clock_service.h"
#include "services/clock/config.h"
#include "services/clock/metrics.h"
#include "services/clock/store/clock_store.h"

namespace komadai::clock {
namespace {

enum class Ticking { kByItself, kByHand };

class ClockComponentImpl final : public rpc::Component {
 public:
  ClockComponentImpl(const ClockConfig& config, std::shared_ptr<livestore::LiveStore> store,
                     const TimeSource& time, Ticking ticking, rpc::BindContext& context)
      : live_store_(std::move(store)),
        metrics_(context.metrics),
        store_(*live_store_),
        expiries_(store_, time, RandomId(context.random),
                  {.sweep_interval = config.sweep_interval,
                   .heartbeat_interval = config.heartbeat_interval},
                  metrics_, context.log),
        clocks_(store_, static_cast<std::size_t>(config.cached_clocks), time, metrics_,
                [this](const std::string& game_id, const StoredClock& stored) {
                  expiries_.ClockChanged(game_id, stored);
                }),
        service_(context.runtime, clocks_, expiries_),
        ticker_(expiries_, time),
        ticking_(ticking) {
    context.AddReadinessCheck("live-store", [this] { return SyncWait(store_.Ping()); });
  }

  std::vector<rpc::Service*> Services() override { return {&service_}; }

  Status Start() override {
    expiries_.Open();
    if (ticking_ == Ticking::kByItself) ticker_.Start();
    return {};
  }

  void Stop() override {
    ticker_.Stop();
    expiries_.Close();
  }

  Expiries& expiries() { return expiries_; }

 private:
  const std::shared_ptr<livestore::LiveStore> live_store_;
  ClockMetrics metrics_;
  ClockStore store_;
  Expiries expiries_;
  Clocks clocks_;
  ClockService service_;
  Ticker ticker_;
  const Ticking ticking_;
};

}  // namespace

rpc::ComponentSpec ClockComponent() {
  auto config = std::make_shared<ClockConfig>();
  return {.name = "clock",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<livestore::LiveStore>> store =
                stores::OpenLiveStore(config->store, context.time);
            if (!store) return std::move(store).error();
            return std::unique_ptr<rpc::Component>(std::make_unique<ClockComponentImpl>(
                *config, *std::move(store), context.time, Ticking::kByItself, context));
          }};
}

rpc::ComponentSpec ClockComponentByHand(std::shared_ptr<livestore::LiveStore> store,
                                        const TimeSource& time,
                                        std::function<void(Expiries&)> on_bound) {
  return {.name = "clock",
          .dependencies = {},
          .add_settings = {},
          .bind = [store, &time,
                   on_bound](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            auto component = std::make_unique<ClockComponentImpl>(ClockConfig(), store, time,
                                                                  Ticking::kByHand, context);
            on_bound(component->expiries());
            return std::unique_ptr<rpc::Component>(std::move(component));
          }};
}

}  // namespace komadai::clock
