// The engine service as a component: settings, wiring, readiness.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::engine {

rpc::ComponentSpec EngineComponent();

}  // namespace komadai::engine
