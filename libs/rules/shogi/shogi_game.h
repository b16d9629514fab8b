// The law of shogi and of minishogi, one implementation over two geometries.
#pragma once

#include "libs/rules/game.h"

namespace komadai::rules::shogi {

const Game& ShogiGame();
const Game& MinishogiGame();

}  // namespace komadai::rules::shogi
