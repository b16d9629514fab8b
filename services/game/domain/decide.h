// What a player may do now: pure decisions on a Game.
//
// Each returns the events the action causes, or why it is refused. No events means that the action
// has been done already: a repeat, which is answered as the first time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "services/game/domain/game.h"

namespace komadai::game {

inline constexpr int kMaxDrawOffers = 3;  // a player and game (Ttakji's rule)
inline constexpr int kMaxTimeGifts = 50;  // a game

using Events = std::vector<EventBody>;

// Which side the player is. NOT_A_PLAYER.
Result<Side> SideOf(const Game& game, std::string_view player_id);

enum class MoveDecision { kPlay, kRepeat };
// Whether `side` may play `move` against `expected_ply` now; kRepeat: exactly this move is already
// there. Legality is the rules' business. GAME_OVER, STALE_PLY, NOT_YOUR_TURN.
Result<MoveDecision> DecideMove(const Game& game, Side side, int expected_ply,
                                std::string_view move);

Result<Events> DecideResign(const Game& game, Side side);
Result<Events> DecideOfferDraw(const Game& game, Side side, int expected_ply);
Result<Events> DecideAnswerDraw(const Game& game, Side side, bool accept);
Result<Events> DecideAbort(const Game& game, Side side);
// A flag for the ply whose deadline passed: none if that ply is no longer open.
Events DecideTimeOut(const Game& game, int ply, Side side);

// A takeback goes back to the asking player's own last decision: `plies` are taken back, at once
// (against the computer without a clock) or when the opponent agrees.
struct TakebackDecision {
  int plies = 0;
  bool granted = false;  // otherwise `events` asks the opponent
  Events events;
};
// TAKEBACK_NOT_ALLOWED, STALE_PLY, GAME_OVER.
Result<TakebackDecision> DecideRequestTakeback(const Game& game, Side side, int expected_ply);
// `plies` is 0 and `events` says so when declined. NO_TAKEBACK_REQUEST, GAME_OVER.
Result<TakebackDecision> DecideAnswerTakeback(const Game& game, Side side, bool accept);

// Whether `side` may give its opponent time now; false: this request was granted before.
Result<bool> DecideAddTime(const Game& game, Side side, std::string_view request_id);

}  // namespace komadai::game
