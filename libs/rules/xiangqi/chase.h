// Chasing: which enemy pieces a move newly threatens to win. The basis of the perpetual chase rule,
// as AXF's rules are commonly implemented.
#pragma once

#include "libs/rules/xiangqi/board.h"

namespace komadai::rules::xiangqi {

// The squares of the pieces that the move `from`-`to`, which leads from `before` to `after` and
// captures nothing, newly chases.
Bits NewlyChasedBy(const Board& before, int from, int to, const Board& after);

}  // namespace komadai::rules::xiangqi
