// What a player may do now: pure decisions on a Game.
//
// Each returns the events the action causes, or why it is refused. No events means that the action
// has been done already: a repeat, which is answered as the first time. What ends or changes a game
// without anybody's call is in timers.h; pauses and claims have headers of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "services/game/domain/game.h"

namespace komadai::game {

inline constexpr int kMaxDrawOffers = 3;  // a player and game (Ttakji's rule)
inline constexpr int kMaxTimeGifts = 50;  // a game
inline constexpr int kMaxTakebacks = 20;  // requests of a player and game, between players
inline constexpr int kMaxUndone = 500;    // takebacks of a game against the computer
inline constexpr int kMaxPlies = 10000;   // what the archive takes
inline constexpr int kMaxEvents = 20000;  // of a game's journal

using Events = std::vector<EventBody>;

// Refusals that several decisions share.
Error GameIsOver(const Game& game);
Error PlyIsStale(const Game& game, int expected_ply);
Error GameIsPaused(const Game& game);

// What every action of a player but resigning needs: GAME_OVER, GAME_TOO_LONG, and STALE_PLY if it
// names a ply.
Status CheckLive(const Game& game);
Status CheckLiveAt(const Game& game, int expected_ply);
// Also GAME_PAUSED.
Status CheckRunningAt(const Game& game, int expected_ply);

// The end of the game as it stands.
Ended EndOf(const Game& game, Outcome outcome, Ending ending);
// The end of a game that `side` aborts or does not begin.
Ended AbortedBy(const Game& game, Side side);

// Which side the player is. NOT_A_PLAYER.
Result<Side> SideOf(const Game& game, std::string_view player_id);

enum class MoveDecision { kPlay, kRepeat, kRepeatIllegal };
// Whether `side` may play `move` against `expected_ply` now; kRepeat: exactly this move is already
// there; kRepeatIllegal: it was illegal and has lost the game. Legality is the rules' business.
// GAME_OVER, STALE_PLY, NOT_YOUR_TURN, GAME_PAUSED, GAME_TOO_LONG.
Result<MoveDecision> DecideMove(const Game& game, Side side, int expected_ply,
                                std::string_view move);
// A move received before the last takeback is STALE_PLY: it was meant for a turn that is no more,
// even if its ply has come again.
Status CheckNotUndone(const Game& game, TimePoint received_at);

Result<Events> DecideResign(const Game& game, Side side);
Result<Events> DecideOfferDraw(const Game& game, Side side, int expected_ply);
// `offer`: sequence number of the offer that is answered; 0: the open one.
Result<Events> DecideAnswerDraw(const Game& game, Side side, bool accept, std::int64_t offer);
Result<Events> DecideAbort(const Game& game, Side side);

// Whether a confirmed declaration repeats the one that ended the game.
bool IsRepeatedDeclaration(const Game& game, Side side, int expected_ply);
// A confirmed call to count an impasse that takes both players; `result` is what the count says.
Result<Events> DecideAgreedImpasse(const Game& game, Side side, int expected_ply,
                                   const GameResult& result);

// A takeback goes back to the asking player's own last decision: `plies` are taken back, at once
// (against the computer without a clock) or when the opponent agrees.
struct TakebackDecision {
  int plies = 0;
  bool granted = false;  // otherwise `events` asks the opponent
  Events events;
  bool repeat = false;  // the first answer was `granted`, with this many plies played after it:
  int ply = 0;
};
// TAKEBACK_NOT_ALLOWED, TOO_MANY_TAKEBACKS, STALE_PLY, GAME_OVER, GAME_PAUSED.
Result<TakebackDecision> DecideRequestTakeback(const Game& game, Side side, int expected_ply);
// `plies` is 0 and `events` says so when declined. NO_TAKEBACK_REQUEST, GAME_OVER, GAME_PAUSED.
Result<TakebackDecision> DecideAnswerTakeback(const Game& game, Side side, bool accept,
                                              std::int64_t request);

// Null: `side` may give its opponent time now. Else the gift that this request has made before.
// TIME_GIFT_NOT_ALLOWED, REQUEST_ID_REUSED, GAME_OVER, GAME_PAUSED.
Result<const TimeGift*> DecideAddTime(const Game& game, Side side, std::string_view request_id,
                                      Millis add);

}  // namespace komadai::game
