// How the clock service is put together; all that a main() needs to know of it.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::clock {

// Keeps clocks in the store that the settings name (--redis-url, else --sqlite-path).
rpc::ComponentSpec ClockComponent();

}  // namespace komadai::clock
