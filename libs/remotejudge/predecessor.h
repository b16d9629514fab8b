// The move before: notations that write 同 need it, and the service takes it as a move only.
#pragma once

#include <optional>

#include "libs/rules/position.h"

namespace komadai::remotejudge {

struct Predecessor {
  rules::Position position;
  rules::Move move;  // legal in it, and leads on
};

// Some position from which the opponent of the side to move could have come to `position` with a
// move to `to` that captures nothing. Nothing if no piece of theirs can have come there. Shogi and
// minishogi.
std::optional<Predecessor> FindPredecessor(const rules::Position& position, rules::Square to);

}  // namespace komadai::remotejudge
