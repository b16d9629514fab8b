#include "services/matchmaking/app/challenge_desk.h"

#include <algorithm>
#include <utility>

#include "libs/convert/variant.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxAttempts = 16;
constexpr Millis kBackground{5000};

Error Contention() { return Error(kContention, "the challenge changes too fast; try again"); }

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
  return a.opponent_id() == b.opponent_id && a.side() == b.wish &&
         a.terms().SerializeAsString() == b.terms.SerializeAsString();
}

Side SideOf(const stored_pb::StoredChallenge& stored, const std::string& player_id) {
  return stored.first().player_id() == player_id ? Side::kFirst : Side::kSecond;
}

}  // namespace

Task<Result<ChallengeEntry>> ChallengeDesk::Load(std::string challenge_id) {
  Result<ChallengeEntry> entry = co_await store_.LoadChallenge(challenge_id);
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
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<ChallengeEntry> existing = co_await store_.LoadChallenge(wish.challenge_id);
    if (!existing) co_return std::move(existing).error();
    if (existing->exists()) {
      if (!SameChallenge(existing->value.challenge(), wish)) {
        co_return Error(kRequestIdReused, "this request id has created another challenge");
      }
      Result<pb::Challenge> current = co_await Get(wish.challenge_id);
      co_return current;
    }
    ChallengeEntry entry;
    pb::Challenge& challenge = *entry.value.mutable_challenge();
    challenge.set_challenge_id(wish.challenge_id);
    *challenge.mutable_challenger() = wish.challenger;
    challenge.set_opponent_id(wish.opponent_id);
    *challenge.mutable_terms() = wish.terms;
    challenge.set_side(wish.wish);
    challenge.set_state(pb::CHALLENGE_STATE_OPEN);
    challenge.set_expires_at_ms(ToUnixMillis(time_.Now() + wish.lifetime));
    const pb::Challenge created = challenge;
    Result<bool> put = co_await store_.PutChallenge(std::move(entry));
    if (put && *put) co_return created;
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

Task<Result<pb::Challenge>> ChallengeDesk::Get(std::string challenge_id) {
  Result<ChallengeEntry> entry = co_await Load(std::move(challenge_id));
  if (!entry) co_return std::move(entry).error();
  co_return entry->value.challenge();
}

Task<Result<AcceptedChallenge>> ChallengeDesk::Accept(rpc::Call call, std::string challenge_id,
                                                      common_pb::Player player) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
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
      co_return Error(kOwnChallenge, "nobody plays against themselves");
    }
    if (!challenge.opponent_id().empty() && challenge.opponent_id() != player.player_id()) {
      co_return Error(kNotYours, "the challenge is for somebody else");
    }
    if (challenge.terms().rated() && !Verified(player)) {
      co_return Error(kVerifiedAccountNeeded, "rated games need a verified account");
    }
    bool challenger_first = random_.Below(2) == 0;
    if (challenge.side() != pb::SIDE_WISH_UNSPECIFIED) {
      challenger_first = challenge.side() == pb::SIDE_WISH_FIRST;
    }
    *entry->value.mutable_first() = challenger_first ? challenge.challenger() : player;
    *entry->value.mutable_second() = challenger_first ? player : challenge.challenger();
    challenge.set_state(pb::CHALLENGE_STATE_ACCEPTED);
    ChallengeEntry accepted = *entry;
    Result<bool> put = co_await store_.PutChallenge(std::move(accepted));
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
    // Committed or not, the next round sees what holds and creates the game.
  }
  co_return Contention();
}

Task<Result<ChallengeEntry>> ChallengeDesk::CreateGame(rpc::Call call, ChallengeEntry entry) {
  pb::Challenge& challenge = *entry.value.mutable_challenge();
  if (!challenge.game_id().empty()) co_return entry;
  Match match{"challenge-" + challenge.challenge_id(), entry.value.first(), entry.value.second(),
              challenge.terms()};
  Result<std::string> game_id = co_await games_.Create(call, std::move(match));
  if (!game_id) {
    if (game_id.error().code() == Code::kInvalidArgument) {
      // Such a game cannot be: asking again would be answered the same.
      challenge.set_state(pb::CHALLENGE_STATE_DECLINED);
      (void)co_await store_.PutChallenge(entry);
    }
    co_return std::move(game_id).error();
  }
  challenge.set_game_id(*game_id);
  ChallengeEntry finished = entry;
  // A conflict means that another replica has written the same id.
  Result<bool> put = co_await store_.PutChallenge(std::move(finished));
  if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  co_return entry;
}

Task<Result<pb::Challenge>> ChallengeDesk::Decline(std::string challenge_id,
                                                   std::string player_id) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<ChallengeEntry> entry = co_await Load(challenge_id);
    if (!entry) co_return std::move(entry).error();
    pb::Challenge& challenge = *entry->value.mutable_challenge();
    const bool may =
        challenge.challenger().player_id() == player_id || challenge.opponent_id() == player_id;
    if (!may) co_return Error(kNotYours, "only the challenger or the invited person declines");
    if (challenge.state() == pb::CHALLENGE_STATE_DECLINED) co_return challenge;
    if (challenge.state() != pb::CHALLENGE_STATE_OPEN) co_return ChallengeIsClosed(challenge);
    challenge.set_state(pb::CHALLENGE_STATE_DECLINED);
    ChallengeEntry declined = *entry;
    Result<bool> put = co_await store_.PutChallenge(std::move(declined));
    if (put && *put) co_return challenge;
    if (!put && !put.error().Is(livestore::kInDoubt)) co_return std::move(put).error();
  }
  co_return Contention();
}

Task<void> ChallengeDesk::Sweep() {
  const rpc::Call call = rpc::Call::Background("challenge-sweep", time_, kBackground);
  for (int shard = 0; shard < MatchStore::kShards; ++shard) {
    Result<std::vector<std::string>> open = co_await store_.ChallengesToFinish(shard);
    if (!open) co_return;
    for (const std::string& challenge_id : *open) {
      Result<ChallengeEntry> entry = co_await Load(challenge_id);
      if (!entry || entry->value.challenge().state() != pb::CHALLENGE_STATE_ACCEPTED) continue;
      (void)co_await CreateGame(call, *entry);
    }
  }
}

}  // namespace komadai::matchmaking
