// Seeker: somebody who waits for an opponent; who may be paired with whom, how well the two fit,
// and who gets which side. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/random.h"
#include "libs/base/side.h"
#include "libs/base/time.h"

namespace komadai::matchmaking {

// What handicap the games of a kind are played with. All seekers of one wave want the same.
enum class HandicapWish : std::uint8_t { kNone, kFixed, kSuggested };

struct Seeker {
  std::string seek_id;
  std::string player_id;
  std::vector<std::uint64_t> pools;  // every kind of game it would play, the preferred first
  HandicapWish handicap = HandicapWish::kNone;
  std::optional<Side> wish;
  std::optional<int> rating;               // whole points; none: no rated game yet
  int first_range = 100;                   // rating difference looked for at first
  int range = 0;                           // largest rating difference; 0: any
  TimePoint since;                         // waits since then
  std::vector<std::string> excluded = {};  // players it is never paired with
  std::vector<std::string> recent = {};    // opponents of its last games
  int first_balance = 0;  // of its last even games: as the first side less as the second

  // An unrated player counts as the rating that everybody begins with.
  static constexpr int kStartRating = 1200;
  int strength() const { return rating.value_or(kStartRating); }
};

// After this wait any permitted opponent is accepted, in the next wave that has one.
inline constexpr Millis kAnybodyAfter{60'000};
inline constexpr int kWidening = 10;  // points a second

// The rating difference that is looked for at `now`; nullopt: any. Never above the range.
std::optional<int> RatingWindow(const Seeker& seeker, TimePoint now);
bool Overdue(const Seeker& seeker, TimePoint now);

// The kind of game that both would play; of several the one that both prefer most, and of equally
// preferred ones the first in `a`'s order.
std::optional<std::uint64_t> SharedPool(const Seeker& a, const Seeker& b);

// Whether two seekers may become a game at all: two people, a kind of game that both would play,
// sides that both can have, each within the other's range and not excluded by the other.
bool Legal(const Seeker& a, const Seeker& b);

// How much a pair gains, in points: the rating difference that both look for by now, on average,
// less the difference that there is (with suggested handicaps: what the handicap leaves of it) and
// less kMetBefore if they have just played. Pairs that gain nothing are not made; overdue seekers
// always gain.
std::int64_t Gain(const Seeker& a, const Seeker& b, TimePoint now);
inline constexpr int kMetBefore = 150;

// The handicap that is suggested for the two, given by the stronger; empty: an even game.
std::string SuggestedHandicap(const Seeker& a, const Seeker& b);

// The side of `a` in a legal pair: as wished; in handicap games the stronger gives (is second)
// unless both wish otherwise; else the one who has been first less often; else by lot.
Side SideOfFirstNamed(const Seeker& a, const Seeker& b, Random& random);

}  // namespace komadai::matchmaking
