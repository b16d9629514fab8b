#include "services/matchmaking/app/seek_desk.h"

#include <algorithm>
#include <utility>

#include "libs/rpc/error.h"
#include "services/matchmaking/app/conduct.h"

namespace komadai::matchmaking {
namespace {

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
  auto attempt = [this, call, wish, entry](int) { return TryCreate(call, wish, entry); };
  Result<pb::Seek> created =
      co_await livestore::UntilCommitted(kMaxAttempts, std::move(attempt), Contention);
  co_return created;
}

Task<SeekDesk::SeekAttempt> SeekDesk::TryCreate(rpc::Call call, NewSeek wish, SeekEntry entry) {
  Result<SeekEntry> existing = co_await store_.Load(wish.seek_id);
  if (!existing) co_return std::move(existing).error();
  if (existing->exists()) {
    if (!SameWish(existing->value, entry.value)) {
      co_return Error(kRequestIdReused, "this request id has created another seek");
    }
    co_return existing->value.seek();
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
    if (!*put) co_return livestore::LostRace{};
  }
  const TimePoint now = time_.Now();
  if (const auto until = CooldownOf(state->history.value, now)) {
    metrics_.CoolingDown();
    co_return CoolingDown(*until, now);
  }
  Recall(state->history.value, wish.exclude_last_opponents, entry.value);
  const pb::Seek created = entry.value.seek();
  Result<bool> put = co_await store_.PutNew(std::move(entry), state->owner_version, now + kGrace);
  co_return Outcome(std::move(put), created);
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
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, call, seek_id, player_id](int) { return TryCancel(call, seek_id, player_id); },
      Contention);
}

Task<SeekDesk::SeekAttempt> SeekDesk::TryCancel(rpc::Call call, std::string seek_id,
                                                std::string player_id) {
  Result<SeekEntry> entry = co_await Find(seek_id, player_id);
  if (!entry) co_return std::move(entry).error();
  if (IsPaired(*entry)) {
    Result<SeekEntry> finished = co_await finisher_.Finish(call, *entry);
    if (!finished) co_return std::move(finished).error();
    // There was no game and the seek waits again: it is still to be cancelled.
    if (IsOpen(*finished)) co_return livestore::LostRace{};
    co_return finished->value.seek();
  }
  if (IsOffered(*entry)) {
    SeekAttempt left = co_await TryLeaveOffer(*std::move(entry));
    co_return left;
  }
  const std::optional<Seek> cancelled = CancelSeek(SeekOf(entry->value));
  if (!cancelled) co_return entry->value.seek();  // it has already ended
  Write(*cancelled, entry->value);
  std::vector<SeekEntry> seeks{*entry};
  Result<bool> put = co_await store_.Put(std::move(seeks));
  co_return Outcome(std::move(put), entry->value.seek());
}

Task<Result<pb::Seek>> SeekDesk::Answer(std::string seek_id, std::string player_id,
                                        std::string match_id, bool accept) {
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, seek_id, player_id, match_id, accept](int) {
        return TryAnswer(seek_id, player_id, match_id, accept);
      },
      Contention);
}

Task<SeekDesk::SeekAttempt> SeekDesk::TryAnswer(std::string seek_id, std::string player_id,
                                                std::string match_id, bool accept) {
  Result<SeekEntry> entry = co_await Find(seek_id, player_id);
  if (!entry) co_return std::move(entry).error();
  const AnswerIs answer = ClassifyAnswer(SeekOf(entry->value), match_id, accept, time_.Now());
  if (answer == AnswerIs::kTooLate) {
    Error no_offer(kNoOffer, "the seek has no such offer, or the time to answer has passed",
                   {{"seek", seek_id}});
    co_return no_offer;
  }
  if (answer == AnswerIs::kRepeat) co_return entry->value.seek();
  if (accept) {
    SeekAttempt accepted = co_await TryAccept(*std::move(entry));
    co_return accepted;
  }
  SeekAttempt left = co_await TryLeaveOffer(*std::move(entry));
  co_return left;
}

Task<SeekDesk::SeekAttempt> SeekDesk::TryLeaveOffer(SeekEntry own) {
  Result<SeekEntry> other = co_await store_.Load(own.value.pairing().other_seek_id());
  if (!other) co_return std::move(other).error();
  const std::optional<SeekPair> left = DeclineOffer(SeekOf(own.value), SeekOf(other->value));
  if (!left) co_return livestore::LostRace{};
  Write(left->own, own.value);
  Write(left->other, other->value);
  const pb::Seek cancelled = own.value.seek();
  std::vector<SeekEntry> seeks{std::move(own), *std::move(other)};
  Result<bool> put = co_await store_.Put(std::move(seeks));
  if (put && *put) metrics_.Dissolved("declined");
  co_return Outcome(std::move(put), cancelled);
}

Task<SeekDesk::SeekAttempt> SeekDesk::TryAccept(SeekEntry own) {
  Result<SeekEntry> other = co_await store_.Load(own.value.pairing().other_seek_id());
  if (!other) co_return std::move(other).error();
  const std::optional<SeekPair> answered =
      AcceptOffer(SeekOf(own.value), SeekOf(other->value), time_.Now());
  if (!answered) co_return livestore::LostRace{};
  Write(answered->own, own.value);
  Write(answered->other, other->value);
  const std::string own_id = own.value.seek().seek_id();
  const pb::Seek accepted = own.value.seek();
  std::vector<SeekEntry> seeks{std::move(own), *std::move(other)};
  Result<bool> put = co_await store_.Put(std::move(seeks));
  const bool both = answered->own.state == SeekState::kPaired;
  if (put && *put && both) {
    Result<SeekEntry> paired = co_await store_.Load(own_id);
    if (paired && IsPaired(*paired)) (void)finisher_.Enqueue(*std::move(paired));
  }
  co_return Outcome(std::move(put), accepted);
}

Task<Status> SeekDesk::Touch(std::vector<std::string> seek_ids) {
  return store_.Touch(std::move(seek_ids), time_.Now() + kGrace);
}

}  // namespace komadai::matchmaking
