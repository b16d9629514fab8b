// The replay of a drawn game, where the ruleset wants one (professional play): sides swapped, the
// remaining time kept. Pure.
#pragma once

#include <array>
#include <optional>

#include "services/game/domain/game.h"

namespace komadai::game {

// Whether a game that ends with `result` is replayed. A draw by a count of the impasse, which has
// no result, is; one that was claimed, or imposed on a game without end, is not.
bool IsReplayed(const Game& game, const GameResult& result);

// How the replay of a game that was drawn begins. In a handicap game nobody swaps sides: uwate
// gives again.
struct ReplayTerms {
  std::array<Player, 2> players;  // by Index(Side)
  std::optional<timecontrol::TimeControl> time_control;
};
ReplayTerms ReplayTermsOf(const Game& drawn);

}  // namespace komadai::game
