// A wave: disjoint pairs of all who wait for one kind of game, of the greatest total gain. Pure.
//
// How: every seeker gets edges to its nearest legal partners by rating (of each pool and each wish
// that fits, at most kNeighbours), an overdue one to its nearest in the whole wave. The edges are
// taken greedily, the greatest gain first, and then improved: a seeker changes its partner, and the
// two who lose theirs take each other or the best free ones, as long as the total grows.
//
// Why that is near enough: without alternating paths of that length left, a matching has at least
// two thirds of the optimum's weight in any graph (Drake and Hougardy), and this graph is nearly a
// line: seekers sorted by rating, edges only to near places, where longer exchanges gain little.
// wave_test compares it with the exhaustive optimum of small pools. What is left out are edges
// beyond a seeker's neighbours. They gain less than the nearer ones and matter only to overdue
// seekers, which get edges of their own.
//
// Time: n log n for sorting, and a fixed amount of work per seeker for everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "libs/base/time.h"
#include "services/matchmaking/domain/seeker.h"

namespace komadai::matchmaking {

struct WavePair {
  std::size_t a = 0;  // places in the wave's seekers
  std::size_t b = 0;
  std::uint64_t pool = 0;  // what they play
};

// `turn` counts the waves. One wave looks at 64 places per seeker at most to find partners for
// overdue seekers; the next one continues where it ended.
//
// Unless that limit is reached, no overdue seeker is left that still has a legal partner.
std::vector<WavePair> MatchWave(const std::vector<const Seeker*>& seekers, TimePoint now,
                                std::uint64_t turn = 0);

}  // namespace komadai::matchmaking
