// Wiring of the game service.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::game {

rpc::ComponentSpec GameComponent();

}  // namespace komadai::game
