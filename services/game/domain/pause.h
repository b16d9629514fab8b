// Pausing (adjourning) a game by agreement, and going on: pure decisions, as in decide.h.
#pragma once

#include "services/game/domain/decide.h"

namespace komadai::game {

inline constexpr int kMaxPauseOffers = 3;  // a player and game
inline constexpr Millis kMinPause{std::int64_t{60} * 1000};
inline constexpr Millis kMaxPause{std::int64_t{7} * 24 * 3600 * 1000};

struct PauseDecision {
  Events events;        // none, and not agreed: a repeat
  bool agreed = false;  // the game is paused for `length`, from when its clock has been read
  Millis length{0};
};

// PAUSE_NOT_ALLOWED, PAUSE_ALREADY_OFFERED, TOO_MANY_PAUSE_OFFERS, GAME_OVER, STALE_PLY,
// GAME_PAUSED.
Result<PauseDecision> DecideOfferPause(const Game& game, Side side, int expected_ply,
                                       Millis length);
// `offer`: sequence number of the offer that is answered; 0: the open one. NO_PAUSE_OFFER,
// GAME_OVER.
Result<PauseDecision> DecideAnswerPause(const Game& game, Side side, bool accept,
                                        std::int64_t offer);
// `side` wants the game to go on, at `now`. GAME_NOT_PAUSED, GAME_OVER, STALE_PLY.
Result<Events> DecideResume(const Game& game, Side side, int expected_ply, TimePoint now);

// The end of the pause at `now`.
Resumed ResumedAt(const Game& game, TimePoint now);

}  // namespace komadai::game
