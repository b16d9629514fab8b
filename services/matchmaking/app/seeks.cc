#include "services/matchmaking/app/seeks.h"

#include <algorithm>
#include <utility>

#include "libs/convert/variant.h"

namespace komadai::matchmaking {
namespace {

bool In(const SeekEntry& entry, pb::SeekState state) {
  return entry.exists() && entry.value.seek().state() == state;
}

// The pool of that number that both have.
const std::string* PoolOfBoth(const SeekEntry& a, const SeekEntry& b, std::uint64_t number) {
  for (const std::string& pool : a.value.pools()) {
    if (PoolNumber(pool) != number) continue;
    const auto& others = b.value.pools();
    if (std::find(others.begin(), others.end(), pool) != others.end()) return &pool;
  }
  return nullptr;
}

// What one seek of a pair says.
void Enter(SeekEntry& entry, const stored_pb::Pairing& pairing, Side side, bool offered) {
  pb::Seek& seek = *entry.value.mutable_seek();
  *entry.value.mutable_pairing() = pairing;
  seek.set_state(offered ? pb::SEEK_STATE_OFFERED : pb::SEEK_STATE_PAIRED);
  seek.set_match_id(pairing.match_id());
  seek.set_side(convert::ToProto(side));
  *seek.mutable_opponent() = side == Side::kFirst ? pairing.second() : pairing.first();
  *seek.mutable_terms()->mutable_time_control() = pairing.terms().time_control();
  if (offered) {
    seek.set_answer_by_ms(pairing.paired_at_ms() + kAnswerTime.count());
    seek.set_accepted(!entry.value.confirm());
  }
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

bool IsWaiting(const SeekEntry& entry) { return In(entry, pb::SEEK_STATE_WAITING); }
bool IsOffered(const SeekEntry& entry) { return In(entry, pb::SEEK_STATE_OFFERED); }
bool IsPaired(const SeekEntry& entry) { return In(entry, pb::SEEK_STATE_PAIRED); }
bool IsOpen(const SeekEntry& entry) {
  return IsWaiting(entry) || IsOffered(entry) || IsPaired(entry);
}

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
  stored_pb::Pairing pairing;
  pairing.set_match_id(std::move(match_id));
  pairing.set_paired_at_ms(ToUnixMillis(now));
  pb::GameTerms& terms = *pairing.mutable_terms();
  terms.ParseFromString(*shared);
  if (terms.suggest_handicap()) {
    terms.clear_suggest_handicap();
    const std::string handicap = SuggestedHandicap(one, other);
    if (!handicap.empty()) terms.mutable_setup()->set_handicap(handicap);
  }
  const Side side = SideOfFirstNamed(one, other, random);
  const bool first = side == Side::kFirst;
  *pairing.mutable_first() = first ? a.value.seek().player() : b.value.seek().player();
  *pairing.mutable_second() = first ? b.value.seek().player() : a.value.seek().player();
  const bool offered = a.value.confirm() || b.value.confirm();
  pairing.set_other_seek_id(other.seek_id);
  Enter(a, pairing, side, offered);
  pairing.set_other_seek_id(one.seek_id);
  Enter(b, pairing, Opponent(side), offered);
  return true;
}

void JoinComputer(SeekEntry& entry, std::string match_id, Random& random, TimePoint now) {
  const Seeker seeker = SeekerOf(entry.value);
  stored_pb::Pairing pairing;
  pairing.set_match_id(std::move(match_id));
  pairing.set_paired_at_ms(ToUnixMillis(now));
  pairing.mutable_terms()->ParseFromString(entry.value.pools(0));
  pairing.mutable_terms()->clear_suggest_handicap();
  Side side = random.Below(2) == 0 ? Side::kFirst : Side::kSecond;
  // A person gets the handicap, unless they would rather give it.
  if (seeker.handicap == HandicapWish::kFixed) side = Side::kFirst;
  if (seeker.wish) side = *seeker.wish;
  const bool first = side == Side::kFirst;
  *pairing.mutable_first() = first ? entry.value.seek().player() : ComputerFor(entry.value);
  *pairing.mutable_second() = first ? ComputerFor(entry.value) : entry.value.seek().player();
  Enter(entry, pairing, side, false);
}

void Return(SeekEntry& entry) {
  pb::Seek& seek = *entry.value.mutable_seek();
  seek.set_state(pb::SEEK_STATE_WAITING);
  pb::GameTerms preferred;
  preferred.ParseFromString(entry.value.pools(0));
  *seek.mutable_terms()->mutable_time_control() = preferred.time_control();
  seek.clear_match_id();
  seek.clear_opponent();
  seek.clear_side();
  seek.clear_answer_by_ms();
  seek.clear_accepted();
  entry.value.clear_pairing();
}

Match MatchOf(const stored_pb::Pairing& pairing) {
  return {pairing.match_id(), pairing.first(), pairing.second(), pairing.terms()};
}

}  // namespace komadai::matchmaking
