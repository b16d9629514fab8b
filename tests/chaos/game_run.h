// One game from its creation to its end.
#pragma once

#include "tests/chaos/evidence.h"
#include "tests/chaos/plan.h"
#include "tests/chaos/world.h"

namespace komadai::chaos {

// Creates the game, lets both players play it and a watcher (sometimes two) watch, and returns when
// it has ended or the world is abandoned. The ledger's part of the evidence. An error: it could not
// even be created.
Result<GameEvidence> RunGame(World& world, const GamePlan& plan);

}  // namespace komadai::chaos
