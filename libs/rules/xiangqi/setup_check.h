// Turns a Setup into a Board if it is a possible position.
#pragma once

#include <optional>

#include "libs/rules/setup.h"
#include "libs/rules/xiangqi/board.h"

namespace komadai::rules::xiangqi {

std::optional<SetupFault> BuildBoard(const Setup& setup, Kings kings, Board& board);

}  // namespace komadai::rules::xiangqi
