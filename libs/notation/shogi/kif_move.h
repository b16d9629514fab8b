// Moves as KIF files write them: "７六歩(77)", "同　銀成(31)", "５五香打".
#pragma once

#include <optional>
#include <string>

#include "libs/rules/position.h"

namespace komadai::notation {

// `move` is legal. `previous` is the target of the move before, for 同. ParseJapanese reads it.
std::string FormatKif(const rules::Position& position, rules::Move move,
                      std::optional<rules::Square> previous = std::nullopt);

}  // namespace komadai::notation
