// Settings of the game service.
#pragma once

#include <string>

#include "libs/config/settings.h"
#include "libs/stores/stores.h"

namespace komadai::game {

struct GameConfig {
  stores::LiveSettings store;
  std::string rules_adapter = "remote";
  int game_cache = 20000;
  Millis sweep_interval{1000};
  Millis first_move_time{60'000};
  int max_live_games = 50;

  void AddTo(config::Settings& settings) {
    store.AddTo(settings);
    settings.Add("rules-adapter", &rules_adapter,
                 "how the rules are reached: remote (their service) or linked (in this process)",
                 config::OneOf({"remote", "linked"}));
    settings.Add("game-cache", &game_cache, "live games kept in memory to save reads",
                 config::Range(16, 10000000));
    settings.Add("game-sweep-interval", &sweep_interval, "how often unfinished work is swept",
                 config::Range(Millis(50), Millis(60000)));
    settings.Add("game-first-move-time", &first_move_time,
                 "abort a real-time game if a side makes no first move within this time; 0: never",
                 config::Range(Millis(0), Millis(3600000)));
    settings.Add("game-max-live", &max_live_games, "most games in progress of one player",
                 config::Range(1, 100));
  }
};

}  // namespace komadai::game
