#include "services/matchmaking/app/seek_desk.h"

#include <algorithm>
#include <utility>

#include "libs/rpc/error.h"
#include "services/matchmaking/app/conduct.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxAttempts = 16;

using MaybeSeek = std::optional<pb::Seek>;

Error Contention() { return Error(kContention, "too many concurrent changes; retry"); }

Error CoolingDown(TimePoint until, TimePoint now) {
  return Error(kCoolingDown, "the player has left too many games; wait before seeking again",
               {{rpc::kRetryAfterMs, std::to_string((until - now).count())},
                {"until_ms", std::to_string(ToUnixMillis(until))}});
}

bool SameWish(const stored_pb::StoredSeek& a, const stored_pb::StoredSeek& b) {
  const auto fallback = [](const stored_pb::StoredSeek& seek) {
    return seek.computer_fallback().SerializeAsString();
  };
  return std::equal(a.pools().begin(), a.pools().end(), b.pools().begin(), b.pools().end()) &&
         a.rating_range() == b.rating_range() && a.confirm() == b.confirm() &&
         a.first_rating_range() == b.first_rating_range() &&
         a.seek().side_wish() == b.seek().side_wish() && fallback(a) == fallback(b);
}

SeekEntry EntryOf(const NewSeek& wish, TimePoint now) {
  SeekEntry entry;
  pb::Seek& seek = *entry.value.mutable_seek();
  seek.set_seek_id(wish.seek_id);
  *seek.mutable_player() = wish.player;
  *seek.mutable_terms() = wish.terms;
  seek.set_created_at_ms(ToUnixMillis(now));
  seek.set_side_wish(wish.wish);
  seek.set_rating_range(wish.rating_range);
  entry.value.add_pools(PoolOf(wish.terms, wish.terms.time_control()));
  for (const common_pb::TimeControl& control : wish.other_controls) {
    const std::string pool = PoolOf(wish.terms, control);
    const auto& known = entry.value.pools();
    if (std::find(known.begin(), known.end(), pool) != known.end()) continue;
    entry.value.add_pools(pool);
    *seek.add_other_time_controls() = control;
  }
  entry.value.set_rating_range(wish.rating_range);
  entry.value.set_first_rating_range(wish.first_rating_range);
  entry.value.set_confirm(wish.confirm);
  if (wish.computer_fallback) *entry.value.mutable_computer_fallback() = *wish.computer_fallback;
  Write(Seek{.seek_id = wish.seek_id, .confirm = wish.confirm}, entry.value);
  return entry;
}

}  // namespace

Task<Result<pb::Seek>> SeekDesk::Create(rpc::Call call, NewSeek wish) {
  Result<std::optional<int>> rating =
      co_await ratings_.RatingOf(call, wish.player.player_id(), wish.terms.setup().variant());
  if (rating) {
    wish.player.set_rating(rating->value_or(0));
  } else if (wish.terms.rated()) {
    co_return std::move(rating).error();
  }
  const SeekEntry entry = EntryOf(wish, call.received_at());
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<MaybeSeek> entered = co_await Enter(call, wish, entry);
    if (!entered && entered.error().Is(livestore::kInDoubt)) continue;  // look again
    if (!entered) co_return std::move(entered).error();
    if (*entered) co_return **std::move(entered);
  }
  co_return Contention();
}

Task<Result<MaybeSeek>> SeekDesk::Enter(rpc::Call call, NewSeek wish, SeekEntry entry) {
  Result<SeekEntry> existing = co_await store_.Load(wish.seek_id);
  if (!existing) co_return std::move(existing).error();
  if (existing->exists()) {
    if (!SameWish(existing->value, entry.value)) {
      co_return Error(kRequestIdReused, "this request id has created another seek");
    }
    co_return MaybeSeek(existing->value.seek());
  }
  const std::string player_id = wish.player.player_id();
  Result<SeekStore::PlayerState> state = co_await store_.StateOf(player_id);
  if (!state) co_return std::move(state).error();
  if (!state->seek_id.empty()) {
    Result<SeekEntry> current = co_await store_.Load(state->seek_id);
    if (!current) co_return std::move(current).error();
    if (IsOpen(*current)) {
      Error already(kAlreadySeeking, "the player already has an open seek",
                    {{"seek", current->value.seek().seek_id()}});
      co_return already;
    }
  }
  ReviewedHistory reviewed = co_await Review(games_, call, state->history.value);
  state->history.value = std::move(reviewed.history);
  if (reviewed.changed) {
    std::vector<SeekStore::PlayerHistory> histories;
    histories.push_back({player_id, state->history});
    std::vector<SeekEntry> none;
    Result<bool> put = co_await store_.Put(std::move(none), std::move(histories));
    if (!put) co_return std::move(put).error();
    if (!*put) co_return MaybeSeek();
  }
  const TimePoint now = time_.Now();
  if (const auto until = CooldownOf(state->history.value, now)) {
    metrics_.CoolingDown();
    co_return CoolingDown(*until, now);
  }
  Recall(state->history.value, wish.exclude_last_opponents, entry.value);
  const pb::Seek created = entry.value.seek();
  Result<bool> put = co_await store_.PutNew(std::move(entry), state->owner_version, now + kGrace);
  if (!put) co_return std::move(put).error();
  if (!*put) co_return MaybeSeek();
  co_return MaybeSeek(created);
}

Task<Result<SeekEntry>> SeekDesk::Find(std::string seek_id, std::string player_id) {
  Result<SeekEntry> entry = co_await store_.Load(seek_id);
  if (!entry) co_return entry;
  if (!entry->exists()) {
    Error missing(kSeekNotFound, "no such seek", {{"seek", seek_id}});
    co_return missing;
  }
  if (entry->value.seek().player().player_id() != player_id) {
    co_return Error(kNotYours, "the seek belongs to another player");
  }
  co_return entry;
}

Task<Result<pb::Seek>> SeekDesk::Cancel(rpc::Call call, std::string seek_id,
                                        std::string player_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> entry = co_await Find(seek_id, player_id);
    if (!entry) co_return std::move(entry).error();
    if (IsPaired(*entry)) {
      Result<SeekEntry> finished = co_await finisher_.Finish(call, *entry);
      if (!finished) co_return std::move(finished).error();
      if (IsOpen(*finished)) continue;  // there was no game: the seek waits again
      co_return finished->value.seek();
    }
    if (IsOffered(*entry)) {
      Result<MaybeSeek> left = co_await LeaveOffer(*std::move(entry));
      if (!left) co_return std::move(left).error();
      if (*left) co_return **std::move(left);
      continue;
    }
    const std::optional<Seek> cancelled = CancelSeek(SeekOf(entry->value));
    if (!cancelled) co_return entry->value.seek();  // it has already ended
    Write(*cancelled, entry->value);
    std::vector<SeekEntry> seeks{*entry};
    Result<bool> put = co_await store_.Put(std::move(seeks));
    if (put && *put) co_return entry->value.seek();
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

Task<Result<pb::Seek>> SeekDesk::Answer(std::string seek_id, std::string player_id,
                                        std::string match_id, bool accept) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<SeekEntry> entry = co_await Find(seek_id, player_id);
    if (!entry) co_return std::move(entry).error();
    const AnswerIs answer = ClassifyAnswer(SeekOf(entry->value), match_id, accept, time_.Now());
    if (answer == AnswerIs::kTooLate) {
      Error no_offer(kNoOffer, "the seek has no such offer, or the time to answer has passed",
                     {{"seek", seek_id}});
      co_return no_offer;
    }
    if (answer == AnswerIs::kRepeat) co_return entry->value.seek();
    Result<MaybeSeek> answered = MaybeSeek();
    if (accept) {
      answered = co_await Accept(*std::move(entry));
    } else {
      answered = co_await LeaveOffer(*std::move(entry));
    }
    if (!answered) co_return std::move(answered).error();
    if (*answered) co_return **std::move(answered);
  }
  co_return Contention();
}

Task<Result<MaybeSeek>> SeekDesk::LeaveOffer(SeekEntry own) {
  Result<SeekEntry> other = co_await store_.Load(own.value.pairing().other_seek_id());
  if (!other) co_return std::move(other).error();
  const std::optional<SeekPair> left = DeclineOffer(SeekOf(own.value), SeekOf(other->value));
  if (!left) co_return MaybeSeek();
  Write(left->own, own.value);
  Write(left->other, other->value);
  const pb::Seek cancelled = own.value.seek();
  std::vector<SeekEntry> seeks{std::move(own), *std::move(other)};
  Result<bool> put = co_await store_.Put(std::move(seeks));
  if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  if (!put || !*put) co_return MaybeSeek();
  metrics_.Dissolved("declined");
  co_return MaybeSeek(cancelled);
}

Task<Result<MaybeSeek>> SeekDesk::Accept(SeekEntry own) {
  Result<SeekEntry> other = co_await store_.Load(own.value.pairing().other_seek_id());
  if (!other) co_return std::move(other).error();
  const std::optional<SeekPair> answered =
      AcceptOffer(SeekOf(own.value), SeekOf(other->value), time_.Now());
  if (!answered) co_return MaybeSeek();
  Write(answered->own, own.value);
  Write(answered->other, other->value);
  const bool both = answered->own.state == SeekState::kPaired;
  const std::string own_id = own.value.seek().seek_id();
  const pb::Seek accepted = own.value.seek();
  std::vector<SeekEntry> seeks{std::move(own), *std::move(other)};
  Result<bool> put = co_await store_.Put(std::move(seeks));
  if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  if (!put || !*put) co_return MaybeSeek();
  if (both) {
    Result<SeekEntry> paired = co_await store_.Load(own_id);
    if (paired && IsPaired(*paired)) (void)finisher_.Enqueue(*std::move(paired));
  }
  co_return MaybeSeek(accepted);
}

Task<Status> SeekDesk::Touch(std::vector<std::string> seek_ids) {
  return store_.Touch(std::move(seek_ids), time_.Now() + kGrace);
}

}  // namespace komadai::matchmaking
