#include "services/matchmaking/app/seeks.h"

#include <algorithm>
#include <utility>

namespace komadai::matchmaking {
namespace {

// The pool of that number that both have.
const std::string* PoolOfBoth(const SeekEntry& a, const SeekEntry& b, std::uint64_t number) {
  for (const std::string& pool : a.value.pools()) {
    if (PoolNumber(pool) != number) continue;
    const auto& others = b.value.pools();
    if (std::find(others.begin(), others.end(), pool) != others.end()) return &pool;
  }
  return nullptr;
}

std::string ComputerName(common_pb::ComputerLevel level) {
  switch (level) {
    case common_pb::COMPUTER_LEVEL_EASY:
      return "Computer (easy)";
    case common_pb::COMPUTER_LEVEL_HARD:
      return "Computer (hard)";
    default:
      return "Computer (medium)";
  }
}

common_pb::Player ComputerFor(const stored_pb::StoredSeek& seek) {
  common_pb::ComputerLevel level = seek.computer_fallback().level();
  if (level == common_pb::COMPUTER_LEVEL_UNSPECIFIED) level = common_pb::COMPUTER_LEVEL_MEDIUM;
  common_pb::Player computer;
  computer.set_kind(common_pb::PLAYER_KIND_COMPUTER);
  computer.set_level(level);
  computer.set_name(ComputerName(level));
  return computer;
}

}  // namespace

Seeker SeekerOf(const stored_pb::StoredSeek& stored) {
  const pb::Seek& seek = stored.seek();
  Seeker seeker;
  seeker.seek_id = seek.seek_id();
  seeker.player_id = seek.player().player_id();
  for (const std::string& pool : stored.pools()) seeker.pools.push_back(PoolNumber(pool));
  if (seek.terms().suggest_handicap()) {
    seeker.handicap = HandicapWish::kSuggested;
  } else if (HasHandicap(seek.terms())) {
    seeker.handicap = HandicapWish::kFixed;
  }
  if (seek.side_wish() == pb::SIDE_WISH_FIRST) seeker.wish = Side::kFirst;
  if (seek.side_wish() == pb::SIDE_WISH_SECOND) seeker.wish = Side::kSecond;
  if (seek.player().rating() > 0) seeker.rating = seek.player().rating();
  if (stored.first_rating_range() > 0) seeker.first_range = stored.first_rating_range();
  seeker.range = stored.rating_range();
  seeker.since = FromUnixMillis(seek.created_at_ms());
  seeker.excluded.assign(stored.excluded().begin(), stored.excluded().end());
  seeker.recent.assign(stored.recent_opponents().begin(), stored.recent_opponents().end());
  seeker.first_balance = stored.first_balance();
  return seeker;
}

bool Join(SeekEntry& a, SeekEntry& b, std::uint64_t pool, std::string match_id, Random& random,
          TimePoint now) {
  const std::string* shared = PoolOfBoth(a, b, pool);
  if (shared == nullptr) return false;
  const Seeker one = SeekerOf(a.value);
  const Seeker other = SeekerOf(b.value);
  const Side side = SideOfFirstNamed(one, other, random);
  const std::optional<SeekPair> pair =
      MakePair(SeekOf(a.value), SeekOf(b.value), match_id, side, now);
  if (!pair) return false;
  stored_pb::Pairing game;
  pb::GameTerms& terms = *game.mutable_terms();
  terms.ParseFromString(*shared);
  if (terms.suggest_handicap()) {
    terms.clear_suggest_handicap();
    const std::string handicap = SuggestedHandicap(one, other);
    if (!handicap.empty()) terms.mutable_setup()->set_handicap(handicap);
  }
  const bool first = side == Side::kFirst;
  *game.mutable_first() = first ? a.value.seek().player() : b.value.seek().player();
  *game.mutable_second() = first ? b.value.seek().player() : a.value.seek().player();
  WritePaired(pair->own, game, a.value);
  WritePaired(pair->other, game, b.value);
  return true;
}

bool JoinComputer(SeekEntry& entry, std::string match_id, Random& random, TimePoint now) {
  const Seeker seeker = SeekerOf(entry.value);
  Side side = random.Below(2) == 0 ? Side::kFirst : Side::kSecond;
  // A person gets the handicap, unless they would rather give it.
  if (seeker.handicap == HandicapWish::kFixed) side = Side::kFirst;
  if (seeker.wish) side = *seeker.wish;
  const std::optional<Seek> paired = PairWithComputer(SeekOf(entry.value), match_id, side, now);
  if (!paired) return false;
  stored_pb::Pairing game;
  game.mutable_terms()->ParseFromString(entry.value.pools(0));
  game.mutable_terms()->clear_suggest_handicap();
  const bool first = side == Side::kFirst;
  *game.mutable_first() = first ? entry.value.seek().player() : ComputerFor(entry.value);
  *game.mutable_second() = first ? ComputerFor(entry.value) : entry.value.seek().player();
  WritePaired(*paired, game, entry.value);
  return true;
}

Match MatchOf(const stored_pb::Pairing& pairing) {
  return {pairing.match_id(), pairing.first(), pairing.second(), pairing.terms()};
}

}  // namespace komadai::matchmaking
