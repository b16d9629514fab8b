// How the clock service is put together; all that a main() needs to know of it.
#pragma once

#include <functional>
#include <memory>

#include "libs/livestore/live_store.h"
#include "libs/rpc/component.h"

namespace komadai::clock {

class Expiries;

// Keeps clocks in the store that the settings name (--redis-url, else --sqlite-path).
rpc::ComponentSpec ClockComponent();

// The component for tests: on that store, with that time, and without a ticker. `on_bound` gets the
// expiries, which live as long as the component; the test ticks them by hand.
rpc::ComponentSpec ClockComponentByHand(std::shared_ptr<livestore::LiveStore> store,
                                        const TimeSource& time,
                                        std::function<void(Expiries&)> on_bound);

}  // namespace komadai::clock
