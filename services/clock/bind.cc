#include "services/clock/bind.h"

#include <memory>
#include <utility>

#include "libs/stores/stores.h"
#include "services/clock/clock_component.h"
#include "services/clock/config.h"

namespace komadai::clock {

rpc::ComponentSpec ClockComponent() {
  auto config = std::make_shared<ClockConfig>();
  return {.name = "clock",
          .dependencies = {},
          .add_settings = [config](config::Settings& settings) { config->AddTo(settings); },
          .bind = [config](rpc::BindContext& context) -> Result<std::unique_ptr<rpc::Component>> {
            Result<std::shared_ptr<livestore::LiveStore>> store =
                stores::OpenLiveStore(config->store, context.time);
            if (!store) return std::move(store).error();
            return std::unique_ptr<rpc::Component>(
                std::make_unique<ClockComponentImpl>(*config, *std::move(store), context));
          }};
}

}  // namespace komadai::clock
