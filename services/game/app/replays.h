// Replays of drawn games, as the service creates them.
#pragma once

#include <string>

#include "services/game/domain/decide.h"

namespace komadai::game {

// The id of the game that replays a drawn one: known at its end, so that the end names it, and the
// same whoever creates it.
std::string ReplayIdOf(const std::string& game_id);

// Writes that id into the end of a game that is to be replayed.
void NameReplay(const Game& game, EventBody* event);

}  // namespace komadai::game
