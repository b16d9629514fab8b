// Pawn drops that mate: no moves, but the vectors say where a generator that takes them for moves
// counts more.
#pragma once

#include <cstdint>
#include <optional>

#include "libs/rules/position.h"

namespace komadai::conformance {

// The one pawn drop that gives check, if the side to move holds a pawn. Only it can be a mate.
std::optional<rules::Move> CheckingPawnDrop(const rules::Position& position);

// The positions `depth` plies on in which a pawn drop would mate.
std::uint64_t CountPawnDropMates(const rules::Position& position, int depth);

}  // namespace komadai::conformance
