// What a shogi handicap is worth, as USSF and FESA rate handicap games since 2002: a number of
// ranks, not of points, because ranks widen with strength.
#pragma once

#include <optional>
#include <string_view>

#include "libs/elo/elo.h"

namespace komadai::elo {

// Ranks that uwate gives with a handicap (by the ids of libs/rules: "2_piece"); 0 for an even game
// (empty or "none"). None for handicaps that have no agreed worth (silver, three pieces, eight and
// more): such games cannot be rated.
std::optional<double> HandicapRanks(std::string_view handicap_id);

// The handicap id that `stronger` should give to `weaker`, by the difference of their ranks to one
// decimal as German tournaments use it; empty for an even game (also when `weaker` is not weaker).
std::string_view SuggestedHandicap(Rating stronger, Rating weaker);

}  // namespace komadai::elo
