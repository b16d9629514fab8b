// Draws a position in a terminal: kanji pieces, hands, coordinates.
#pragma once

#include <string>

#include "libs/rules/position.h"

namespace komadai::cli {

struct BoardStyle {
  bool from_second_side = false;  // turn the board so that the second side sits at the bottom
  bool colour = true;             // ANSI colours; the last move is highlighted with them
};

// Several lines, each ending in a newline. `last_move` (plain notation, may be empty) is marked.
std::string DrawBoard(const rules::Position& position, const std::string& last_move,
                      const BoardStyle& style);

}  // namespace komadai::cli
