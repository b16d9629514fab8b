// Why a single move is refused, step by step and without the generator, so that each checks the
// other.
#pragma once

#include <optional>

#include "libs/rules/illegal.h"
#include "libs/rules/xiangqi/board.h"

namespace komadai::rules::xiangqi {

std::optional<Illegal> WhyIllegalMove(const Board& board, int from, int to);

// Whether the generals face each other on a file with nothing in between.
bool GeneralsFacing(const Board& board);

}  // namespace komadai::rules::xiangqi
