// Settings of the kifu service.
#pragma once

#include "libs/config/settings.h"
#include "libs/stores/stores.h"

namespace komadai::kifu {

struct KifuConfig {
  stores::SqlSettings store;

  void AddTo(config::Settings& settings) { store.AddTo(settings); }
};

}  // namespace komadai::kifu
