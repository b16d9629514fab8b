#include "services/matchmaking/app/challenge_desk.h"

#include <algorithm>
#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"
#include "services/matchmaking/app/bounded.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kSweepTimeout{5000};
// A place without a challenge is free again after this: its creation must have failed.
constexpr Millis kPlaceIsKept{60'000};

Error ChallengeIsClosed(const pb::Challenge& challenge) {
  return Error(kChallengeClosed, "the challenge is no longer open",
               {{"challenge", challenge.challenge_id()},
                {"state", pb::ChallengeState_Name(challenge.state())}});
}

bool Verified(const common_pb::Player& player) {
  return player.kind() == common_pb::PLAYER_KIND_PERSON ||
         player.kind() == common_pb::PLAYER_KIND_BOT;
}

bool SameChallenge(const pb::Challenge& a, const NewChallenge& b) {
  return a.opponent_id() == b.opponent_id && a.side() == b.wish && a.listed() == b.listed &&
         a.terms().SerializeAsString() == b.terms.SerializeAsString();
}

Side SideOf(const stored_pb::StoredChallenge& stored, const std::string& player_id) {
  return stored.first().player_id() == player_id ? Side::kFirst : Side::kSecond;
}

}  // namespace

Task<Result<ChallengeEntry>> ChallengeDesk::Load(std::string challenge_id) {
  Result<ChallengeEntry> entry = co_await store_.Load(challenge_id);
  if (!entry) co_return entry;
  if (!entry->exists()) {
    Error missing(kChallengeNotFound, "no such challenge", {{"challenge", challenge_id}});
    co_return missing;
  }
  pb::Challenge& challenge = *entry->value.mutable_challenge();
  const bool late = ToUnixMillis(time_.Now()) >= challenge.expires_at_ms();
  if (challenge.state() == pb::CHALLENGE_STATE_OPEN && late) {
    challenge.set_state(pb::CHALLENGE_STATE_EXPIRED);
  }
  co_return entry;
}

Task<Result<pb::Challenge>> ChallengeDesk::Create(NewChallenge wish) {
  return livestore::UntilCommitted(
      kMaxAttempts, [this, wish](int) { return TryCreate(wish); }, Contention);
}

Task<livestore::Attempt<pb::Challenge>> ChallengeDesk::TryCreate(NewChallenge wish) {
  Result<ChallengeEntry> existing = co_await store_.Load(wish.challenge_id);
  if (!existing) co_return std::move(existing).error();
  if (existing->exists()) {
    if (!SameChallenge(existing->value.challenge(), wish)) {
      co_return Error(kRequestIdReused, "this request id has created another challenge");
    }
    Result<pb::Challenge> current = co_await Get(wish.challenge_id);
    if (!current) co_return std::move(current).error();
    co_return *std::move(current);
  }
  const std::int64_t expires_at = ToUnixMillis(time_.Now() + wish.lifetime);
  Result<int> place =
      co_await TakePlace(wish.challenger.player_id(), wish.challenge_id, expires_at);
  if (!place) co_return std::move(place).error();
  ChallengeEntry entry;
  pb::Challenge& challenge = *entry.value.mutable_challenge();
  challenge.set_challenge_id(wish.challenge_id);
  *challenge.mutable_challenger() = wish.challenger;
  challenge.set_opponent_id(wish.opponent_id);
  *challenge.mutable_terms() = wish.terms;
  challenge.set_side(wish.wish);
  challenge.set_listed(wish.listed);
  challenge.set_state(pb::CHALLENGE_STATE_OPEN);
  challenge.set_expires_at_ms(expires_at);
  const pb::Challenge created = challenge;
  Result<bool> put = co_await store_.Put(std::move(entry));
  co_return Outcome(std::move(put), created);
}

Task<Result<pb::Challenge>> ChallengeDesk::Get(std::string challenge_id) {
  Result<ChallengeEntry> entry = co_await Load(std::move(challenge_id));
  if (!entry) co_return std::move(entry).error();
  co_return entry->value.challenge();
}

Task<Result<AcceptedChallenge>> ChallengeDesk::Accept(rpc::Call call, std::string challenge_id,
                                                      common_pb::Player player) {
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, call, challenge_id, player](int) { return TryAccept(call, challenge_id, player); },
      Contention);
}

Task<livestore::Attempt<AcceptedChallenge>> ChallengeDesk::TryAccept(rpc::Call call,
                                                                     std::string challenge_id,
                                                                     common_pb::Player player) {
  Result<ChallengeEntry> entry = co_await Load(challenge_id);
  if (!entry) co_return std::move(entry).error();
  pb::Challenge& challenge = *entry->value.mutable_challenge();
  if (challenge.state() == pb::CHALLENGE_STATE_ACCEPTED) {
    const bool again = entry->value.first().player_id() == player.player_id() ||
                       entry->value.second().player_id() == player.player_id();
    if (!again) co_return ChallengeIsClosed(challenge);
    Result<ChallengeEntry> done = co_await CreateGame(call, *entry);
    if (!done) co_return std::move(done).error();
    co_return AcceptedChallenge{done->value.challenge(), SideOf(done->value, player.player_id())};
  }
  if (challenge.state() != pb::CHALLENGE_STATE_OPEN) co_return ChallengeIsClosed(challenge);
  if (challenge.challenger().player_id() == player.player_id()) {
    co_return Error(kOwnChallenge, "players cannot play against themselves");
  }
  if (!challenge.opponent_id().empty() && challenge.opponent_id() != player.player_id()) {
    co_return Error(kNotYours, "the challenge is for another player");
  }
  if (challenge.terms().rated() && !Verified(player)) {
    co_return Error(kVerifiedAccountNeeded, "rated games need a verified account");
  }
  const common_pb::Variant variant = challenge.terms().setup().variant();
  if (challenge.terms().rated()) {
    Status may =
        co_await CheckRatedGames(call, challenge.challenger().player_id(), player.player_id());
    if (!may) co_return std::move(may).error();
  }
  std::vector<Task<common_pb::Player>> rating;
  rating.push_back(WithRating(call, challenge.challenger(), variant));
  rating.push_back(WithRating(call, player, variant));
  const std::vector<common_pb::Player> rated = co_await WhenAll(std::move(rating));
  const common_pb::Player& challenger = rated[0];
  bool challenger_first = random_.Below(2) == 0;
  if (challenge.side() != pb::SIDE_WISH_UNSPECIFIED) {
    challenger_first = challenge.side() == pb::SIDE_WISH_FIRST;
  }
  *entry->value.mutable_first() = challenger_first ? challenger : rated[1];
  *entry->value.mutable_second() = challenger_first ? rated[1] : challenger;
  challenge.set_state(pb::CHALLENGE_STATE_ACCEPTED);
  ChallengeEntry accepted = *entry;
  Result<bool> put = co_await store_.Put(std::move(accepted));
  if (!put) co_return std::move(put).error();
  // Committed or not, the next attempt sees what holds and creates the game.
  co_return livestore::LostRace{};
}

Task<Result<ChallengeEntry>> ChallengeDesk::CreateGame(rpc::Call call, ChallengeEntry entry) {
  pb::Challenge& challenge = *entry.value.mutable_challenge();
  if (!challenge.game_id().empty()) co_return entry;
  Match match{"challenge-" + challenge.challenge_id(), entry.value.first(), entry.value.second(),
              challenge.terms()};
  Result<std::string> game_id = co_await games_.Create(call, std::move(match));
  if (!game_id) {
    if (game_id.error().code() == Code::kInvalidArgument) {
      // The game is invalid: another attempt would fail the same way.
      challenge.set_state(pb::CHALLENGE_STATE_DECLINED);
      (void)co_await store_.Put(entry);
    } else if (game_id.error().Is(kTooManyGames)) {
      // Not now: the challenge is open again until it expires.
      challenge.set_state(pb::CHALLENGE_STATE_OPEN);
      entry.value.clear_first();
      entry.value.clear_second();
      (void)co_await store_.Put(entry);
    }
    co_return std::move(game_id).error();
  }
  challenge.set_game_id(*game_id);
  ChallengeEntry finished = entry;
  // A conflict means that another replica has written the same id.
  Result<bool> put = co_await store_.Put(std::move(finished));
  if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  co_return entry;
}

Task<Result<pb::Challenge>> ChallengeDesk::Decline(std::string challenge_id,
                                                   std::string player_id) {
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, challenge_id, player_id](int) { return TryDecline(challenge_id, player_id); },
      Contention);
}

Task<livestore::Attempt<pb::Challenge>> ChallengeDesk::TryDecline(std::string challenge_id,
                                                                  std::string player_id) {
  Result<ChallengeEntry> entry = co_await Load(challenge_id);
  if (!entry) co_return std::move(entry).error();
  pb::Challenge& challenge = *entry->value.mutable_challenge();
  const bool may =
      challenge.challenger().player_id() == player_id || challenge.opponent_id() == player_id;
  if (!may) {
    co_return Error(kNotYours, "only the challenger and the invited player can decline it");
  }
  if (challenge.state() == pb::CHALLENGE_STATE_DECLINED) co_return challenge;
  if (challenge.state() != pb::CHALLENGE_STATE_OPEN) co_return ChallengeIsClosed(challenge);
  challenge.set_state(pb::CHALLENGE_STATE_DECLINED);
  const pb::Challenge declined = challenge;
  Result<bool> put = co_await store_.Put(*std::move(entry));
  co_return Outcome(std::move(put), declined);
}

Task<Result<int>> ChallengeDesk::TakePlace(std::string player_id, std::string challenge_id,
                                           std::int64_t expires_at) {
  return livestore::UntilCommitted(
      kMaxAttempts,
      [this, player_id, challenge_id, expires_at](int) {
        return TryTakePlace(player_id, challenge_id, expires_at);
      },
      Contention);
}

Task<livestore::Attempt<int>> ChallengeDesk::TryTakePlace(std::string player_id,
                                                          std::string challenge_id,
                                                          std::int64_t expires_at) {
  Result<OpenChallengesEntry> open = co_await store_.LoadOpen(player_id);
  if (!open) co_return std::move(open).error();
  const auto& places = open->value.challenges();
  const bool has_one = std::any_of(places.begin(), places.end(), [&](const auto& place) {
    return place.challenge_id() == challenge_id;
  });
  if (has_one) co_return places.size();
  if (places.size() >= kMaxOpen) {
    Result<OpenChallengesEntry> rest = co_await WithoutClosed(*std::move(open));
    if (!rest) co_return std::move(rest).error();
    open = std::move(rest);
    if (open->value.challenges_size() >= kMaxOpen) {
      Error full(kTooManyChallenges, "the player has too many open challenges",
                 {{"limit", std::to_string(kMaxOpen)}});
      co_return full;
    }
  }
  stored_pb::OpenChallenge& place = *open->value.add_challenges();
  place.set_challenge_id(challenge_id);
  place.set_expires_at_ms(expires_at);
  place.set_taken_at_ms(ToUnixMillis(time_.Now()));
  const int taken = open->value.challenges_size();
  Result<bool> put = co_await store_.PutOpen(player_id, *std::move(open));
  co_return Outcome(std::move(put), taken);
}

Task<Result<OpenChallengesEntry>> ChallengeDesk::WithoutClosed(OpenChallengesEntry open) {
  const std::int64_t now = ToUnixMillis(time_.Now());
  OpenChallengesEntry rest = open;
  rest.value.clear_challenges();
  for (const stored_pb::OpenChallenge& place : open.value.challenges()) {
    if (place.expires_at_ms() <= now) continue;
    Result<ChallengeEntry> entry = co_await store_.Load(place.challenge_id());
    if (!entry) co_return std::move(entry).error();
    const bool coming = !entry->exists() && now < place.taken_at_ms() + kPlaceIsKept.count();
    const bool is_open =
        entry->exists() && entry->value.challenge().state() == pb::CHALLENGE_STATE_OPEN;
    if (coming || is_open) *rest.value.add_challenges() = place;
  }
  co_return rest;
}

Task<Status> ChallengeDesk::CheckRatedGames(rpc::Call call, std::string player_id,
                                            std::string opponent_id) {
  Result<bool> may = co_await ratings_.MayPlayRated(call, player_id, opponent_id);
  // Without an answer they play: the limit prevents abuse and is no promise.
  if (may.value_or(true)) co_return Status();
  Error refused(kTooManyRatedGames, "the two have played too many rated games today",
                {{"player", player_id}, {"opponent", opponent_id}});
  co_return refused;
}

Task<common_pb::Player> ChallengeDesk::WithRating(rpc::Call call, common_pb::Player player,
                                                  common_pb::Variant variant) {
  Result<std::optional<int>> rating = co_await ratings_.RatingOf(call, player.player_id(), variant);
  if (rating) player.set_rating(rating->value_or(0));
  co_return player;
}

Task<void> ChallengeDesk::Sweep() {
  const rpc::Call call = rpc::Call::Background("challenge-sweep", time_, kSweepTimeout);
  IndexedJob sweep = [this, call](std::size_t shard) {
    return SweepShard(call, static_cast<int>(shard));
  };
  co_await ForEach(ChallengeStore::kShards, ChallengeStore::kShards, std::move(sweep));
}

Task<void> ChallengeDesk::SweepShard(rpc::Call call, int shard) {
  Result<std::vector<std::string>> accepted = co_await store_.ToFinish(shard);
  if (!accepted) co_return;
  for (const std::string& challenge_id : *accepted) {
    Result<ChallengeEntry> entry = co_await Load(challenge_id);
    if (!entry || entry->value.challenge().state() != pb::CHALLENGE_STATE_ACCEPTED) continue;
    (void)co_await CreateGame(call, *entry);
  }
  Result<std::vector<std::string>> lapsed = co_await store_.LapsedRooms(shard, time_.Now());
  if (!lapsed) co_return;
  for (const std::string& challenge_id : *lapsed) {
    Result<ChallengeEntry> entry = co_await Load(challenge_id);  // says that it has expired
    if (entry) (void)co_await store_.Put(*std::move(entry));
  }
}

}  // namespace komadai::matchmaking
