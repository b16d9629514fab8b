// Wiring of the matchmaking service.
#pragma once

#include <memory>

#include "libs/livestore/live_store.h"
#include "libs/rpc/component.h"
#include "services/matchmaking/config.h"

namespace komadai::matchmaking {

rpc::ComponentSpec MatchmakingComponent();
// The component on that store, for tests.
rpc::ComponentSpec MatchmakingComponentOn(std::shared_ptr<livestore::LiveStore> store,
                                          const MatchmakingConfig& config);

}  // namespace komadai::matchmaking
