// Settings of the clock service.
#pragma once

#include <cstdint>

#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/stores/stores.h"

namespace komadai::clock {

struct ClockConfig {
  stores::LiveSettings store;
  std::int64_t cached_clocks = 65536;  // about half a kibibyte each
  Millis sweep_interval{500};
  Millis heartbeat_interval{5000};

  void AddTo(config::Settings& settings) {
    settings.Section("Clock");
    store.AddTo(settings);
    settings.Add("clock-cache", &cached_clocks, "clocks kept in memory to save loads",
                 config::Range<std::int64_t>(16, 10'000'000));
    settings.Add("clock-sweep-interval", &sweep_interval,
                 "check all deadlines this often, for clocks that no replica has a timer for",
                 config::Range<Millis>(Millis(50), Millis(700)));
    settings.Add("clock-heartbeat-interval", &heartbeat_interval,
                 "send heartbeats on idle streams of expiries this often",
                 config::Range<Millis>(Millis(100), Millis(60000)));
  }
};

}  // namespace komadai::clock
