// Who may be paired with whom, and who gets which side. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/side.h"

namespace komadai::matchmaking {

// What pairing needs to know of a seek.
struct Candidate {
  std::string seek_id;
  std::string player_id;
  std::vector<std::string> pools;  // every kind of game it would play
  std::optional<Side> wish;
  int rating = 0;        // whole points; 0: unrated
  int rating_range = 0;  // largest difference; 0: any
};

// Whether two seeks may become a game: two people, a kind of game that both would play, not both
// insisting on the same side, and each within the other's rating range.
bool Compatible(const Candidate& a, const Candidate& b);

// The first kind of game in `a`'s order that `b` would play too.
std::optional<std::string> SharedPool(const Candidate& a, const Candidate& b);

// The side of `a`: as either wished, else by lot.
Side SideOfFirstNamed(const Candidate& a, const Candidate& b, Random& random);

}  // namespace komadai::matchmaking
