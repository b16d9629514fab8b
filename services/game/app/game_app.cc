#include "services/game/app/game_app.h"

namespace komadai::game {

GameApp::GameApp(livestore::LiveStore& live, GamePorts ports, const TimeSource& time,
                 GameMetrics& metrics, const GameAppOptions& options)
    : store(live, options.cached_games),
      clock(store, ports.clock, time,
            [this](const StoredGame& stored) { flags.MendClock(stored); }),
      committer(store, clock, time,
                [this, follows_up = options.follows_up](const StoredGame& stored) {
                  if (follows_up()) chores.Follow(stored);
                }),
      reader(store, clock),
      creation(committer, store, ports.rules, options.limits),
      moves(committer, store, clock, ports.rules, time),
      endings(committer),
      draws(committer),
      takebacks(committer, store, clock, ports.rules),
      time_gifts(committer, store, clock),
      pauses(committer, store, clock),
      claims(committer, store),
      impasse(committer, store, ports.rules),
      chores({committer, store, clock, moves, creation, impasse, ports.archive, ports.rating,
              ports.engine, time, metrics}),
      flags(committer, store, clock, chores, time, metrics) {}

void GameApp::Stop() {
  chores.Stop();  // first: a sweep that runs sees it and ends
  flags.Stop();
}

}  // namespace komadai::game
