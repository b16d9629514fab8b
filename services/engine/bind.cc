#include "services/engine/bind.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "services/engine/config.h"
#include "services/engine/engine_service.h"
#include "services/engine/errors.h"
#include "services/engine/metrics.h"
#include "services/engine/process/engine_pool.h"

namespace komadai::engine {

namespace {

PoolSettings SettingsOf(const EngineConfig& config) {
  PoolSettings settings;
  settings.processes_per_engine = config.processes;
  settings.queue_capacity = static_cast<std::size_t>(config.queue);
  settings.worker.kill_grace = config.kill_grace;
  return settings;
}

class EngineComponentImpl final : public rpc::Component {
 public:
  EngineComponentImpl(const EngineConfig& config, rpc::BindContext& context)
      : metrics_(context.metrics, context.log, config.Specs()),
        pool_(std::make_unique<EnginePool>(config.Specs(), SettingsOf(config), &metrics_)),
        service_(context.runtime, *pool_, metrics_,
                 {.services = config.max_search, .players = config.max_player_search}) {
    context.AddReadinessCheck("engine", [this] { return Check(); });
  }

  std::vector<rpc::Service*> Services() override { return {&service_}; }

 private:
  // Ready when there is an engine to ask; liveness never depends on one.
  Status Check() const {
    const std::vector<EngineStatus> engines = pool_->Engines();
    const bool any = std::any_of(engines.begin(), engines.end(),
                                 [](const EngineStatus& engine) { return engine.available; });
    if (any) return {};
    return Error{kEngineUnavailable, "no engine process is running"};
  }

  EngineMetrics metrics_;
  std::unique_ptr<EnginePool> pool_;
  EngineService service_;
};

}  // namespace

rpc::ComponentSpec EngineComponent() {
  auto config = std::make_shared<EngineConfig>();
  return {.name = "engine",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(
                std::make_unique<EngineComponentImpl>(*config, context));
          }};
}

}  // namespace komadai::engine
