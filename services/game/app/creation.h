// Creation: new games, once per id.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "services/game/app/committer.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

// A game to create; `id` is derived from the request, so that a repeat finds the same game.
struct NewGame {
  std::string id;
  Setup wish;  // defaults not spelled out yet
  std::array<Player, 2> players;
  bool rated = false;
  bool allow_takeback = false;
  std::optional<timecontrol::TimeControl> time_control;
  std::optional<Millis> first_move;  // as in Options; nullopt: what the operator says
  Millis claim_after{0};
  std::string replay_of;  // the drawn game that it replays; then no limit of games applies
};

// What an operator sets.
struct GameLimits {
  Millis first_move{0};  // for each side's first move in real-time games; 0: none
  int live_games = 0;    // of one player; 0: any number
};

class Creation {
 public:
  Creation(Committer& committer, GameStore& store, RulesPort& rules, GameLimits limits)
      : committer_(committer), store_(store), rules_(rules), limits_(limits) {}

  // REQUEST_ID_REUSED when the id's game is another one; TOO_MANY_GAMES; the reasons of the rules.
  Task<Result<StoredGame>> Create(rpc::Call call, NewGame wish);

 private:
  Task<GameAttempt> TryCreate(rpc::Call call, NewGame wish, Setup setup);
  Task<Status> CheckLiveGames(std::array<Player, 2> players);
  Task<Result<int>> CountLiveGames(std::string player_id);

  Committer& committer_;
  GameStore& store_;
  RulesPort& rules_;
  const GameLimits limits_;
};

}  // namespace komadai::game
