#include "services/matchmaking/domain/pairing.h"

#include <algorithm>
#include <cstdlib>

namespace komadai::matchmaking {

std::optional<std::string> SharedPool(const Candidate& a, const Candidate& b) {
  for (const std::string& pool : a.pools) {
    if (std::find(b.pools.begin(), b.pools.end(), pool) != b.pools.end()) return pool;
  }
  return std::nullopt;
}

bool Compatible(const Candidate& a, const Candidate& b) {
  if (a.seek_id == b.seek_id || a.player_id == b.player_id) return false;
  if (a.wish && b.wish && *a.wish == *b.wish) return false;
  const int gap = std::abs(a.rating - b.rating);
  const auto accepts = [gap](const Candidate& one) {
    return one.rating_range == 0 || gap <= one.rating_range;
  };
  return accepts(a) && accepts(b) && SharedPool(a, b).has_value();
}

Side SideOfFirstNamed(const Candidate& a, const Candidate& b, Random& random) {
  if (a.wish) return *a.wish;
  if (b.wish) return Opponent(*b.wish);
  return random.Below(2) == 0 ? Side::kFirst : Side::kSecond;
}

}  // namespace komadai::matchmaking
