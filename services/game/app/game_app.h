// GameApp: the pieces of the game service, each knowing only those above it. Two callbacks go the
// other way: the committer tells the chores of a commit, the clock tells the flags of a clock that
// is ahead of its game.
#pragma once

#include <cstddef>
#include <functional>

#include "services/game/app/chore_runner.h"
#include "services/game/app/claims.h"
#include "services/game/app/committer.h"
#include "services/game/app/creation.h"
#include "services/game/app/draws.h"
#include "services/game/app/endings.h"
#include "services/game/app/flags.h"
#include "services/game/app/game_clock.h"
#include "services/game/app/game_reader.h"
#include "services/game/app/impasse.h"
#include "services/game/app/move_maker.h"
#include "services/game/app/pauses.h"
#include "services/game/app/takebacks.h"
#include "services/game/app/time_gifts.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

// What the service asks of others. All outlive the GameApp.
struct GamePorts {
  RulesPort& rules;
  ClockPort& clock;
  ArchivePort& archive;
  RatingPort& rating;
  EnginePort& engine;
};

struct GameAppOptions {
  std::size_t cached_games = 100;
  GameLimits limits;
  // Tests of replicas that die after a commit: false leaves the game's chore to the sweep.
  std::function<bool()> follows_up = [] { return true; };
};

struct GameApp {
  GameApp(livestore::LiveStore& live, GamePorts ports, const TimeSource& time, GameMetrics& metrics,
          const GameAppOptions& options);
  GameApp(const GameApp&) = delete;
  GameApp& operator=(const GameApp&) = delete;
  ~GameApp() { Stop(); }

  // No new background work; waits for what runs.
  void Stop();

  GameStore store;
  GameClock clock;
  Committer committer;
  GameReader reader;
  Creation creation;
  MoveMaker moves;
  Endings endings;
  Draws draws;
  Takebacks takebacks;
  TimeGifts time_gifts;
  Pauses pauses;
  Claims claims;
  Impasse impasse;
  ChoreRunner chores;
  Flags flags;
};

}  // namespace komadai::game
