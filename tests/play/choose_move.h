// How the players of chaos and load runs choose their moves.
#pragma once

#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/rules/game_state.h"

namespace komadai::play {

// A random legal move; `position` has one. Captures and promotions come more often than chance
// would have them, so that games come to an end; with `mates`, a move that mates is not missed.
rules::Move ChooseMove(const rules::Position& position, bool mates, Random& random);

// The even start of a variant under its standard ruleset.
rules::GameState StartOf(rules::Variant variant);

// A game of random moves in plain notation: at most `plies`, fewer if it ends by the rules.
std::vector<std::string> RandomGame(rules::Variant variant, int plies, Random& random);

}  // namespace komadai::play
