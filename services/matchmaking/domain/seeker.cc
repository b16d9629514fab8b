#include "services/matchmaking/domain/seeker.h"

#include <algorithm>
#include <cstdlib>

#include "libs/elo/elo.h"
#include "libs/elo/grade.h"
#include "libs/elo/handicap.h"

namespace komadai::matchmaking {
namespace {

// More than any two ratings differ, so that a pair with an overdue seeker always gains, and gains
// more than any other pair.
constexpr std::int64_t kAnyDifference = 100'000;
constexpr std::int64_t kMaxOverdueSeconds = 1'000'000;

elo::Rating EloOf(const Seeker& seeker) {
  return elo::Rating{std::int64_t{seeker.strength()} * 1000};
}

const Seeker& Stronger(const Seeker& a, const Seeker& b) {
  return a.strength() >= b.strength() ? a : b;
}
const Seeker& Weaker(const Seeker& a, const Seeker& b) {
  return a.strength() >= b.strength() ? b : a;
}

bool Contains(const std::vector<std::string>& players, const std::string& player_id) {
  return std::find(players.begin(), players.end(), player_id) != players.end();
}

// Which sides the first named may have.
struct Sides {
  bool first = false;
  bool second = false;
};

bool HandicapIsGiven(const Seeker& a, const Seeker& b) {
  if (a.strength() == b.strength()) return false;
  if (a.handicap == HandicapWish::kFixed) return true;
  return a.handicap == HandicapWish::kSuggested && !SuggestedHandicap(a, b).empty();
}

Sides SidesFor(const Seeker& a, const Seeker& b) {
  const auto may = [](const Seeker& one, Side side) { return !one.wish || *one.wish == side; };
  Sides sides{may(a, Side::kFirst) && may(b, Side::kSecond),
              may(a, Side::kSecond) && may(b, Side::kFirst)};
  if (!HandicapIsGiven(a, b)) return sides;
  // The weaker gives it only if both wish so, and never where the service suggests the handicap.
  const bool both = a.wish && b.wish && a.handicap == HandicapWish::kFixed;
  const bool a_gives = a.strength() > b.strength();
  if (!both && a_gives) sides.first = false;
  if (!both && !a_gives) sides.second = false;
  return sides;
}

// The rating difference of a pair in a game between them.
int Distance(const Seeker& a, const Seeker& b) {
  const int difference = std::abs(a.strength() - b.strength());
  if (a.handicap != HandicapWish::kSuggested) return difference;
  const std::string handicap = SuggestedHandicap(a, b);
  if (handicap.empty()) return difference;
  const double ranks = elo::HandicapRanks(handicap).value_or(0);
  const elo::Rating giver = elo::Weakened(EloOf(Stronger(a, b)), ranks);
  const std::int64_t left = std::abs(giver.milli_points - EloOf(Weaker(a, b)).milli_points) / 1000;
  return std::min(difference, static_cast<int>(left));
}

// Twice what a seeker adds to the rating difference that its pair may have.
std::int64_t Credit(const Seeker& seeker, TimePoint now) {
  const std::int64_t seconds = std::max<std::int64_t>(0, (now - seeker.since).count() / 1000);
  if (Overdue(seeker, now)) return kAnyDifference + std::min(seconds, kMaxOverdueSeconds);
  return seeker.first_range + kWidening * seconds;
}

}  // namespace

bool Overdue(const Seeker& seeker, TimePoint now) { return now - seeker.since >= kAnybodyAfter; }

std::optional<int> RatingWindow(const Seeker& seeker, TimePoint now) {
  const auto range = seeker.range > 0 ? std::optional(seeker.range) : std::nullopt;
  if (Overdue(seeker, now)) return range;
  const int window = static_cast<int>(Credit(seeker, now));
  return range ? std::min(window, *range) : window;
}

std::optional<std::uint64_t> SharedPool(const Seeker& a, const Seeker& b) {
  std::optional<std::uint64_t> best;
  std::size_t best_place = 0;
  for (std::size_t i = 0; i < a.pools.size(); ++i) {
    const auto found = std::find(b.pools.begin(), b.pools.end(), a.pools[i]);
    if (found == b.pools.end()) continue;
    const std::size_t place = i + static_cast<std::size_t>(found - b.pools.begin());
    if (best && place >= best_place) continue;
    best = a.pools[i];
    best_place = place;
  }
  return best;
}

bool Legal(const Seeker& a, const Seeker& b) {
  if (a.seek_id == b.seek_id || a.player_id == b.player_id) return false;
  const int difference = std::abs(a.strength() - b.strength());
  if ((a.range > 0 && difference > a.range) || (b.range > 0 && difference > b.range)) return false;
  if (Contains(a.excluded, b.player_id) || Contains(b.excluded, a.player_id)) return false;
  const Sides sides = SidesFor(a, b);
  return (sides.first || sides.second) && SharedPool(a, b).has_value();
}

std::int64_t Gain(const Seeker& a, const Seeker& b, TimePoint now) {
  std::int64_t gain = (Credit(a, now) + Credit(b, now)) / 2 - Distance(a, b);
  if (Contains(a.recent, b.player_id) || Contains(b.recent, a.player_id)) gain -= kMetBefore;
  return gain;
}

std::string SuggestedHandicap(const Seeker& a, const Seeker& b) {
  return std::string(elo::SuggestedHandicap(EloOf(Stronger(a, b)), EloOf(Weaker(a, b))));
}

Side SideOfFirstNamed(const Seeker& a, const Seeker& b, Random& random) {
  const Sides sides = SidesFor(a, b);
  if (sides.first != sides.second) return sides.first ? Side::kFirst : Side::kSecond;
  const bool lot = random.Below(2) == 0;
  if (!HandicapIsGiven(a, b) && a.first_balance != b.first_balance) {
    return a.first_balance < b.first_balance ? Side::kFirst : Side::kSecond;
  }
  return lot ? Side::kFirst : Side::kSecond;
}

}  // namespace komadai::matchmaking
