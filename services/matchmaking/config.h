// Settings of the matchmaking service.
#pragma once

#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/stores/stores.h"

namespace komadai::matchmaking {

struct MatchmakingConfig {
  stores::LiveSettings store;
  Millis wave_interval{500};
  Millis sweep_interval{1000};

  void AddTo(config::Settings& settings) {
    store.AddTo(settings);
    settings.Add("matchmaking-wave-interval", &wave_interval, "how often waiting seeks are paired",
                 config::Range(Millis(50), Millis(60000)));
    settings.Add("matchmaking-sweep-interval", &sweep_interval,
                 "how often overdue seeks and challenges are finished or expired",
                 config::Range(Millis(50), Millis(60000)));
  }
};

}  // namespace komadai::matchmaking
