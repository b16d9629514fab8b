// Chores: what is left to be done for a game by the service itself. Derived from the game and the
// marks of its document, so that any replica finds the same.
#pragma once

#include <optional>
#include <string>

#include "libs/rpc/call.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

enum class Chore {
  kNone,
  kTimer,     // its time has come: an abort, the end of a pause
  kStart,     // start the clock, tell the players' lists
  kClock,     // tell the clock of a takeback, a restarted turn or a pause
  kComputer,  // the computer is to move
  kFinish,    // replay, archive, rate, release
};

// The next one. `stored` need not be committed yet.
Chore ChoreOf(const StoredGame& stored, TimePoint now);

// When the sweep should look after a game that leaves `chore` to its immediate follow-up; nullopt:
// there is nothing to look after.
std::optional<TimePoint> TodoAt(const StoredGame& stored, Chore chore, TimePoint now);

// Whether the clock has to be told something before it can be pressed, read or changed.
bool ClockIsBehind(const StoredGame& stored);

// How long ago the clock was pressed for a move that is not on record; zero if it was not.
Millis ClockAheadFor(const Game& game, const timecontrol::Reading& reading, TimePoint now);
// Until then such a move may still be on its way.
inline constexpr Millis kRepairAfter{3000};

// A call made for a game by the service itself. It ends at `timeout`.
rpc::Call ChoreCall(const std::string& game_id, const TimeSource& time, Millis timeout);
inline constexpr Millis kChoreTimeout{5000};

// Whether a call that failed may succeed later as it is.
bool IsTransient(const Error& error);

}  // namespace komadai::game
