// GameCommands: what players and services may do to a game, beside playing moves.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "services/game/app/game_table.h"
#include "services/game/domain/pause.h"
#include "services/game/ports/rules_port.h"
#include "services/game/store/presence_store.h"

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

// Who acts on which game. When: call.received_at().
struct PlayerAction {
  rpc::Call call;
  std::string game_id;
  std::string player_id;
};

struct ImpasseOutcome {
  ImpasseReport report;
  std::optional<GameResult> result;  // set when it was confirmed
  bool proposed = false;             // confirmed, and the opponent's agreement is awaited
};

struct TakebackOutcome {
  bool granted = false;
  int ply = 0;
};

struct PresenceReport {
  std::array<bool, 2> present{false, false};  // by Index(Side)
  std::optional<TimePoint> claim_at;          // by the side that waits; nullopt: not as things are
};

class GameCommands {
 public:
  GameCommands(GameTable& table, RulesPort& rules, GameLimits limits = {})
      : table_(table), rules_(rules), limits_(limits), presence_(table.store().livestore()) {}

  // REQUEST_ID_REUSED when the id's game is another one; TOO_MANY_GAMES; the reasons of the rules.
  Task<Result<StoredGame>> Create(rpc::Call call, NewGame wish);
  // The game with its clock as it stands now.
  Task<Result<StoredGame>> Read(rpc::Call call, std::string game_id);

  Task<Result<StoredGame>> Resign(PlayerAction action);
  Task<Result<StoredGame>> OfferDraw(PlayerAction action, int expected_ply);
  // `offer`: sequence number of what is answered; 0: whatever is open. Likewise below.
  Task<Result<StoredGame>> AnswerDraw(PlayerAction action, bool accept, std::int64_t offer = 0);
  Task<Result<StoredGame>> Abort(PlayerAction action);
  // Explains, and ends the game (or proposes to count) if `confirm`.
  Task<Result<ImpasseOutcome>> DeclareImpasse(PlayerAction action, int expected_ply, bool confirm);
  Task<Result<TakebackOutcome>> RequestTakeback(PlayerAction action, int expected_ply);
  Task<Result<TakebackOutcome>> AnswerTakeback(PlayerAction action, bool accept,
                                               std::int64_t request = 0);
  Task<Result<timecontrol::Reading>> AddTime(PlayerAction action, std::string request_id,
                                             Millis add);
  Task<Result<StoredGame>> OfferPause(PlayerAction action, int expected_ply, Millis length);
  Task<Result<StoredGame>> AnswerPause(PlayerAction action, bool accept, std::int64_t offer);
  Task<Result<StoredGame>> Resume(PlayerAction action, int expected_ply);
  // The own win, or a draw.
  Task<Result<StoredGame>> ClaimVictory(PlayerAction action, int expected_ply);
  Task<Result<StoredGame>> ClaimDraw(PlayerAction action, int expected_ply);
  Task<Result<PresenceReport>> PresenceIn(rpc::Call call, std::string game_id);

  // The computer, which is to move, declares an impasse if that is not to its disadvantage; whether
  // it did (or somebody else was faster).
  Task<Result<bool>> DeclareForComputer(rpc::Call call, StoredGame stored);
  // What the clocks showed when the turn of `ply` began, which may be the open one.
  Task<Result<timecontrol::Reading>> ReadingAtStartOf(std::shared_ptr<const Game> game, int ply);

 private:
  Task<Status> CheckLiveGames(std::array<Player, 2> players);
  Task<Result<int>> CountLiveGames(std::string player_id);

  Task<GameAttempt> TryCreate(rpc::Call call, NewGame wish, Setup setup);
  Task<livestore::Attempt<timecontrol::Reading>> TryAddTime(PlayerAction action,
                                                            std::string request_id, Millis add);

  // Commits the taking back of `plies`.
  Task<livestore::Attempt<TakebackOutcome>> TakeBack(rpc::Call call, StoredGame stored, int plies);
  // Shared by both takeback calls: load, decide, take back or commit the decision's events.
  using DecideTakeback = std::function<Result<TakebackDecision>(const Game&, Side)>;
  Task<Result<TakebackOutcome>> Takeback(PlayerAction action, DecideTakeback decide);
  Task<livestore::Attempt<TakebackOutcome>> TryTakeback(PlayerAction action, DecideTakeback decide);

  // Shared by both pause calls.
  using DecidePause = std::function<Result<PauseDecision>(const Game&, Side)>;
  Task<Result<StoredGame>> Pause(PlayerAction action, DecidePause decide);
  Task<GameAttempt> TryPause(PlayerAction action, DecidePause decide);

  // The clock of the open ply, now. A lost race: it has been pressed by a move that is not yet on
  // record. TIME_IS_UP.
  Task<livestore::Attempt<timecontrol::Reading>> ReadOpenClock(rpc::Call call, FreshGame stored);

  Task<Result<ImpasseOutcome>> CountByAgreement(PlayerAction action, StoredGame stored, Side side,
                                                int expected_ply, bool confirm);

  Task<Result<StoredGame>> Claim(PlayerAction action, int expected_ply, bool victory);
  // Until when a side's player was last known to be there.
  Task<Result<TimePoint>> SeenUntil(std::shared_ptr<const Game> game, Side side);

  GameTable& table_;
  RulesPort& rules_;
  const GameLimits limits_;
  PresenceStore presence_;
};

}  // namespace komadai::game
