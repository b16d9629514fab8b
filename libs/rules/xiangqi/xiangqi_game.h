// The law of xiangqi.
#pragma once

#include "libs/rules/game.h"

namespace komadai::rules::xiangqi {

const Game& XiangqiGame();

}  // namespace komadai::rules::xiangqi
