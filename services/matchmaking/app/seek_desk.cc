#include "services/matchmaking/app/seek_desk.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/convert/variant.h"
#include "services/matchmaking/domain/pairing.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxAttempts = 16;
constexpr int kPoolPage = 50;  // candidates looked at in one pool
constexpr int kSweepBatch = 200;
constexpr Millis kPairedGrace{2000};  // for whoever paired them to create the game
constexpr Millis kBackground{5000};

Candidate CandidateOf(const SeekEntry& entry) {
  const pb::Seek& seek = entry.value.seek();
  Candidate candidate;
  candidate.seek_id = seek.seek_id();
  candidate.player_id = seek.player().player_id();
  candidate.pools.assign(entry.value.pools().begin(), entry.value.pools().end());
  if (seek.side_wish() == pb::SIDE_WISH_FIRST) candidate.wish = Side::kFirst;
  if (seek.side_wish() == pb::SIDE_WISH_SECOND) candidate.wish = Side::kSecond;
  candidate.rating = seek.player().rating();
  candidate.rating_range = entry.value.rating_range();
  return candidate;
}

bool Waiting(const SeekEntry& entry) {
  return entry.exists() && entry.value.seek().state() == pb::SEEK_STATE_WAITING;
}

bool Open(const SeekEntry& entry) {
  return Waiting(entry) || (entry.exists() && entry.value.seek().state() == pb::SEEK_STATE_PAIRED);
}

Side SideInPairing(const SeekEntry& entry) {
  const bool first =
      entry.value.pairing().first().player_id() == entry.value.seek().player().player_id();
  return first ? Side::kFirst : Side::kSecond;
}

bool SameWish(const stored_pb::StoredSeek& a, const stored_pb::StoredSeek& b) {
  return std::equal(a.pools().begin(), a.pools().end(), b.pools().begin(), b.pools().end()) &&
         a.rating_range() == b.rating_range() && a.seek().side_wish() == b.seek().side_wish();
}

SeekEntry EntryOf(const NewSeek& wish, TimePoint now) {
  SeekEntry entry;
  pb::Seek& seek = *entry.value.mutable_seek();
  seek.set_seek_id(wish.seek_id);
  *seek.mutable_player() = wish.player;
  *seek.mutable_terms() = wish.terms;
  seek.set_state(pb::SEEK_STATE_WAITING);
  seek.set_created_at_ms(ToUnixMillis(now));
  seek.set_side_wish(wish.wish);
  entry.value.add_pools(PoolOf(wish.terms, wish.terms.time_control()));
  for (const common_pb::TimeControl& control : wish.other_controls) {
    const std::string pool = PoolOf(wish.terms, control);
    const auto& known = entry.value.pools();
    if (std::find(known.begin(), known.end(), pool) == known.end()) entry.value.add_pools(pool);
  }
  entry.value.set_rating_range(wish.rating_range);
  return entry;
}

Error Contention() { return Error(kContention, "the queue changes too fast; try again"); }

}  // namespace

Task<Result<pb::Seek>> SeekDesk::Create(rpc::Call call, NewSeek wish) {
  Result<int> rating =
      co_await ratings_.RatingOf(call, wish.player.player_id(), wish.terms.setup().variant());
  if (rating) {
    wish.player.set_rating(*rating);
  } else if (wish.terms.rated()) {
    co_return std::move(rating).error();
  }
  SeekEntry entry = EntryOf(wish, call.received_at());
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> existing = co_await store_.LoadSeek(wish.seek_id);
    if (!existing) co_return std::move(existing).error();
    if (existing->exists()) {
      if (!SameWish(existing->value, entry.value)) {
        co_return Error(kRequestIdReused, "this request id has created another seek");
      }
      co_return existing->value.seek();
    }
    Result<bool> entered = co_await Enter(entry);
    if (!entered) co_return std::move(entered).error();
    if (!*entered) continue;
    Result<SeekEntry> paired = co_await TryPair(call, wish.seek_id);
    if (!paired) co_return entry.value.seek();  // it waits; the sweep will pair it
    co_return paired->value.seek();
  }
  co_return Contention();
}

Task<Result<bool>> SeekDesk::Enter(SeekEntry entry) {
  const std::string player_id = entry.value.seek().player().player_id();
  Result<Versioned<std::string>> owner = co_await store_.SeekOfPlayer(player_id);
  if (!owner) co_return std::move(owner).error();
  if (!owner->value.empty() && owner->value != entry.value.seek().seek_id()) {
    Result<SeekEntry> current = co_await store_.LoadSeek(owner->value);
    if (!current) co_return std::move(current).error();
    if (Open(*current)) {
      Error already(kAlreadySeeking, "the player has an open seek",
                    {{"seek", current->value.seek().seek_id()}});
      co_return already;
    }
  }
  Result<bool> put =
      co_await store_.PutNewSeek(std::move(entry), owner->version, time_.Now() + kGrace);
  if (!put && put.error().Is(livestore::kInDoubt)) co_return false;  // look again
  co_return put;
}

Task<Result<SeekEntry>> SeekDesk::TryPair(rpc::Call call, std::string seek_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> own = co_await store_.LoadSeek(seek_id);
    if (!own) co_return own;
    if (own->exists() && own->value.seek().state() == pb::SEEK_STATE_PAIRED) {
      Result<SeekEntry> finished = co_await FinishPair(call, *own);
      co_return finished;
    }
    if (!Waiting(*own)) co_return own;
    bool conflict = false;
    for (const std::string& pool : own->value.pools()) {
      Result<std::vector<std::string>> waiting = co_await store_.WaitingInPool(pool, kPoolPage);
      if (!waiting) co_return std::move(waiting).error();
      for (const std::string& other_id : *waiting) {
        if (other_id == seek_id || conflict) continue;
        Result<SeekEntry> other = co_await store_.LoadSeek(other_id);
        if (!other) co_return std::move(other).error();
        if (!Waiting(*other) || !Compatible(CandidateOf(*own), CandidateOf(*other))) continue;
        (void)co_await Pair(*own, *other);
        conflict = true;  // paired or changed under us: look at our own seek again
      }
    }
    if (!conflict) co_return own;
  }
  co_return Contention();
}

Task<Result<bool>> SeekDesk::Pair(SeekEntry own, SeekEntry other) {
  const Candidate a = CandidateOf(own);
  const Candidate b = CandidateOf(other);
  stored_pb::Pairing pairing;
  pairing.set_match_id("match-" + RandomId(random_, 20));
  pairing.mutable_terms()->ParseFromString(*SharedPool(a, b));
  Side side = SideOfFirstNamed(a, b, random_);
  if (!pairing.terms().setup().handicap().empty() && a.rating != b.rating) {
    side = a.rating > b.rating ? Side::kSecond : Side::kFirst;  // the stronger gives
  }
  const SeekEntry& first = side == Side::kFirst ? own : other;
  const SeekEntry& second = side == Side::kFirst ? other : own;
  *pairing.mutable_first() = first.value.seek().player();
  *pairing.mutable_second() = second.value.seek().player();
  std::vector<SeekEntry> both{std::move(own), std::move(other)};
  for (std::size_t i = 0; i < 2; ++i) {
    pb::Seek& seek = *both[i].value.mutable_seek();
    seek.set_state(pb::SEEK_STATE_PAIRED);
    pairing.set_other_seek_id(i == 0 ? b.seek_id : a.seek_id);
    *both[i].value.mutable_pairing() = pairing;
    seek.set_side(convert::ToProto(SideInPairing(both[i])));
    *seek.mutable_terms()->mutable_time_control() = pairing.terms().time_control();
  }
  Result<bool> committed = co_await store_.PutSeeks(std::move(both));
  co_return committed;
}

Task<Result<SeekEntry>> SeekDesk::FinishPair(rpc::Call call, SeekEntry entry) {
  const stored_pb::Pairing& pairing = entry.value.pairing();
  Match match{pairing.match_id(), pairing.first(), pairing.second(), pairing.terms()};
  Result<std::string> game_id = co_await games_.Create(call, std::move(match));
  if (!game_id) {
    // An answer that such a game cannot be ends both seeks: asking again would be answered the
    // same. No answer: the game may exist, so they stay paired until the game service has said
    // which.
    const bool refused =
        game_id.error().code() == Code::kInvalidArgument || game_id.error().Is(kTooManyGames);
    if (refused) co_await Dissolve(entry);
    co_return std::move(game_id).error();
  }
  const std::string own_id = entry.value.seek().seek_id();
  const std::array<std::string, 2> seek_ids{own_id, pairing.other_seek_id()};
  for (const std::string& seek_id : seek_ids) {
    Result<bool> closed = co_await Close(seek_id, pairing.match_id(), *game_id);
    if (!closed) co_return std::move(closed).error();
  }
  Result<SeekEntry> now = co_await store_.LoadSeek(own_id);
  co_return now;
}

Task<Result<bool>> SeekDesk::Close(std::string seek_id, std::string match_id, std::string game_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> entry = co_await store_.LoadSeek(seek_id);
    if (!entry) co_return std::move(entry).error();
    const bool ours = entry->exists() && entry->value.seek().state() == pb::SEEK_STATE_PAIRED &&
                      entry->value.pairing().match_id() == match_id;
    if (!ours) co_return true;  // another replica has closed it
    entry->value.mutable_seek()->set_state(pb::SEEK_STATE_MATCHED);
    entry->value.mutable_seek()->set_game_id(game_id);
    std::vector<SeekEntry> seeks{*entry};
    Result<bool> put = co_await store_.PutSeeks(std::move(seeks));
    if (put && *put) co_return true;
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return put;
  }
  co_return Contention();
}

Task<void> SeekDesk::Dissolve(SeekEntry entry) {
  Result<SeekEntry> other = co_await store_.LoadSeek(entry.value.pairing().other_seek_id());
  if (!other) co_return;
  std::vector<SeekEntry> both{std::move(entry), *other};
  for (SeekEntry& seek : both) {
    seek.value.mutable_seek()->set_state(pb::SEEK_STATE_CANCELLED);
    seek.value.clear_pairing();
  }
  (void)co_await store_.PutSeeks(std::move(both));
}

Task<Result<SeekEntry>> SeekDesk::Find(std::string seek_id, std::string player_id) {
  Result<SeekEntry> entry = co_await store_.LoadSeek(seek_id);
  if (!entry) co_return entry;
  if (!entry->exists()) {
    Error missing(kSeekNotFound, "no such seek", {{"seek", seek_id}});
    co_return missing;
  }
  if (entry->value.seek().player().player_id() != player_id) {
    co_return Error(kNotYours, "the seek is somebody else's");
  }
  co_return entry;
}

Task<Result<pb::Seek>> SeekDesk::Cancel(rpc::Call call, std::string seek_id,
                                        std::string player_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> entry = co_await Find(seek_id, player_id);
    if (!entry) co_return std::move(entry).error();
    if (entry->value.seek().state() == pb::SEEK_STATE_PAIRED) {
      Result<SeekEntry> finished = co_await FinishPair(call, *entry);
      if (!finished) co_return std::move(finished).error();
      co_return finished->value.seek();
    }
    if (!Waiting(*entry)) co_return entry->value.seek();
    entry->value.mutable_seek()->set_state(pb::SEEK_STATE_CANCELLED);
    std::vector<SeekEntry> seeks{*entry};
    Result<bool> put = co_await store_.PutSeeks(std::move(seeks));
    if (put && *put) co_return entry->value.seek();
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

Task<Status> SeekDesk::Touch(std::string seek_id) {
  return store_.Touch(std::move(seek_id), time_.Now() + kGrace);
}

Task<void> SeekDesk::Expire(std::string seek_id) {
  Result<SeekEntry> entry = co_await store_.LoadSeek(seek_id);
  if (!entry) co_return;
  if (!Open(*entry)) {  // somebody watches a seek that is closed: nothing is left to expire
    (void)co_await store_.ForgetWatch(seek_id);
    co_return;
  }
  if (!Waiting(*entry)) co_return;
  entry->value.mutable_seek()->set_state(pb::SEEK_STATE_EXPIRED);
  std::vector<SeekEntry> seeks{*entry};
  (void)co_await store_.PutSeeks(std::move(seeks));
}

Task<void> SeekDesk::Sweep() {
  const rpc::Call call = rpc::Call::Background("matchmaking-sweep", time_, kBackground);
  const TimePoint now = time_.Now();
  Result<std::vector<std::string>> unwatched = co_await store_.UnwatchedBefore(now, kSweepBatch);
  if (!unwatched) co_return;  // the store is away: the next pass will see
  for (const std::string& seek_id : *unwatched) co_await Expire(seek_id);
  Result<std::vector<std::string>> paired =
      co_await store_.PairedBefore(now - kPairedGrace, kSweepBatch);
  if (!paired) co_return;
  for (const std::string& seek_id : *paired) (void)co_await TryPair(call, seek_id);
  Result<std::vector<std::string>> waiting = co_await store_.Waiting(kSweepBatch);
  if (!waiting) co_return;
  for (const std::string& seek_id : *waiting) (void)co_await TryPair(call, seek_id);
}

}  // namespace komadai::matchmaking
