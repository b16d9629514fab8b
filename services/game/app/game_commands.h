// GameCommands: what players and services may do to a game, beside playing moves.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "services/game/app/game_table.h"
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
};

// Who acts on which game. When: call.received_at().
struct PlayerAction {
  rpc::Call call;
  std::string game_id;
  std::string player_id;
};

struct ImpasseOutcome {
  ImpasseReport report;
  std::optional<GameResult> result;  // set when it was confirmed
};

struct TakebackOutcome {
  bool granted = false;
  int ply = 0;
};

class GameCommands {
 public:
  GameCommands(GameTable& table, RulesPort& rules) : table_(table), rules_(rules) {}

  // REQUEST_ID_REUSED when the id's game is another one; the reasons of the rules.
  Task<Result<StoredGame>> Create(rpc::Call call, NewGame wish);
  // The game with its clock as it stands now.
  Task<Result<StoredGame>> Read(rpc::Call call, std::string game_id);

  Task<Result<StoredGame>> Resign(PlayerAction action);
  Task<Result<StoredGame>> OfferDraw(PlayerAction action, int expected_ply);
  Task<Result<StoredGame>> AnswerDraw(PlayerAction action, bool accept);
  Task<Result<StoredGame>> Abort(PlayerAction action);
  // Explains, and ends the game if `confirm`.
  Task<Result<ImpasseOutcome>> DeclareImpasse(PlayerAction action, int expected_ply, bool confirm);
  Task<Result<TakebackOutcome>> RequestTakeback(PlayerAction action, int expected_ply);
  Task<Result<TakebackOutcome>> AnswerTakeback(PlayerAction action, bool accept);
  Task<Result<timecontrol::Reading>> AddTime(PlayerAction action, std::string request_id,
                                             Millis add);

 private:
  // Commits the taking back of `plies`; not set: a conflict.
  Task<Result<std::optional<TakebackOutcome>>> TakeBack(rpc::Call call, StoredGame stored,
                                                        int plies);
  // Shared by both takeback calls: load, decide, take back or commit the decision's events.
  using DecideTakeback = std::function<Result<TakebackDecision>(const Game&, Side)>;
  Task<Result<TakebackOutcome>> Takeback(PlayerAction action, DecideTakeback decide);

  GameTable& table_;
  RulesPort& rules_;
};

}  // namespace komadai::game
