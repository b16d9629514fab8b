// Wiring of the matchmaking service.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::matchmaking {

rpc::ComponentSpec MatchmakingComponent();

}  // namespace komadai::matchmaking
