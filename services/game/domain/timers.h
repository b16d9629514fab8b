// What happens to a game by itself, when its time has come: pure, on a Game and an instant.
#pragma once

#include <optional>

#include "services/game/domain/decide.h"

namespace komadai::game {

// When the game is aborted unless the side to move makes its first move; nullopt: it has no such
// limit, or has moved.
std::optional<TimePoint> FirstMoveDeadline(const Game& game);

// When DecideTimer() will have something; nullopt: never, as things are.
std::optional<TimePoint> NextTimer(const Game& game);

// What is due at `now`: the abort of a game that nobody has begun, the end of a pause, the draw of
// a game without end. None: nothing.
Events DecideTimer(const Game& game, TimePoint now);

// A flag for the ply whose deadline passed: none if that ply is no longer open. A side that has
// not moved yet, in a game with a limit for first moves, aborts instead of losing.
Events DecideTimeOut(const Game& game, int ply, Side side);

}  // namespace komadai::game
