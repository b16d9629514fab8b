// Claiming a game whose opponent has left: pure decisions, as in decide.h.
#pragma once

#include <optional>

#include "services/game/domain/decide.h"

namespace komadai::game {

// When the side that waits may claim the game, if its opponent, last known to be there until
// `seen`, stays away; nullopt: never, as things are.
std::optional<TimePoint> ClaimableFrom(const Game& game, TimePoint seen);

// `side` claims `outcome` (its win, or a draw) at `now`. CLAIM_NOT_ALLOWED, NOT_OPPONENTS_TURN,
// OPPONENT_PRESENT, CLAIM_TOO_EARLY (metadata "seconds_left"), GAME_OVER, STALE_PLY, GAME_PAUSED.
Result<Events> DecideClaim(const Game& game, Side side, int expected_ply, Outcome outcome,
                           TimePoint seen, TimePoint now);

}  // namespace komadai::game
