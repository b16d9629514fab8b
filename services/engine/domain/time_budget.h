// How long a search may take: limits and clocks brought together.
#pragma once

#include <optional>

#include "libs/base/time.h"
#include "libs/rules/types.h"
#include "services/engine/domain/search.h"

namespace komadai::engine {

// What a move loses on its way between the engine and the clock: pipes, the commit, the network.
inline constexpr Millis kMoveOverhead{150};

// What remains of `available` once the overhead is kept back; with hardly any time left half of it,
// and never less than 1 ms.
Millis UsableTime(Millis available);

// A sensible share of the clock for one move when somebody else's limits decide the strength: a
// fortieth of the main time and most of what comes back after every move. Never above UsableTime.
Millis ShareOfClock(const SideTime& own);

// Whether the engine shall manage its own time by the clocks: only when nothing but time limits it.
// (Engines of the Stockfish family ignore their clock as soon as depth or nodes are limited too.)
bool LeavesTimeToEngine(const Limits& limits, const std::optional<Clocks>& clocks);

// Takes `waited` (time in our queue) off the clock of the side that is to move.
Clocks AfterWaiting(Clocks clocks, rules::Side mover, Millis waited);

// What is really sent to the engine: `request` bounded by the clocks and by `cap`, the longest
// search the server allows. When it keeps its clocks, the engine decides and `limits.time` is the
// moment at which it is told to stop.
SearchRequest Bounded(SearchRequest request, Millis waited, Millis cap);

}  // namespace komadai::engine
