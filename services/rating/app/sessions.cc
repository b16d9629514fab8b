#include "services/rating/app/sessions.h"

#include <chrono>
#include <utility>

#include "libs/names/display_name.h"
#include "libs/rpc/error.h"
#include "services/rating/errors.h"

namespace komadai::rating {
namespace {

constexpr Millis kTestSessionLifetime = std::chrono::days(7);

// The first letter keeps ids of guests and accounts apart for people who read logs.
std::string NewPlayerId(PlayerKind kind, Random& random) {
  return (kind == PlayerKind::kGuest ? "g" : "p") + RandomId(random, 15);
}

Error TooManySessions(Millis wait) {
  return Error(kTooManySessions, "too many guest sessions from this address",
               {{rpc::kRetryAfterMs, std::to_string(wait.count())}});
}

rpc::CallerKind CallerKindOf(PlayerKind kind) {
  switch (kind) {
    case PlayerKind::kGuest:
      return rpc::CallerKind::kGuest;
    case PlayerKind::kPerson:
      return rpc::CallerKind::kPlayer;
    case PlayerKind::kBot:
      return rpc::CallerKind::kBot;
  }
  return rpc::CallerKind::kAnonymous;
}

}  // namespace

Sessions::Sessions(SessionPolicy policy, RatingStore& store, const rpc::TokenMinter& tokens,
                   const TimeSource& time, Random& random)
    : policy_(policy),
      store_(store),
      tokens_(tokens),
      time_(time),
      random_(random),
      limiter_(policy.guests_per_minute / 60.0, policy.guests_per_minute) {}

Task<Result<Session>> Sessions::OpenGuest(std::string nickname, std::string address,
                                          TimePoint deadline) {
  Result<std::string> name = nickname.empty() ? MadeUpName(random_) : CleanName(nickname);
  if (!name) co_return std::move(name).error();
  const TimePoint now = time_.Now();
  const std::optional<Millis> wait = limiter_.Take(address, now);
  if (wait) co_return TooManySessions(*wait);
  Player guest;
  guest.id = NewPlayerId(PlayerKind::kGuest, random_);
  guest.name = *std::move(name);
  guest.kind = PlayerKind::kGuest;
  guest.created_at = now;
  Status added = co_await store_.AddGuest(guest, deadline);
  if (!added) co_return std::move(added).error();
  co_return Mint(std::move(guest), policy_.guest_lifetime);
}

Task<Result<Session>> Sessions::OpenTest(std::string name, TimePoint deadline) {
  if (!policy_.allow_test_players) {
    Error disabled(kTestPlayersDisabled, "this server has no test players");
    co_return disabled;
  }
  Result<std::string> clean = CleanName(name);
  if (!clean) co_return std::move(clean).error();
  Player candidate;
  candidate.id = NewPlayerId(PlayerKind::kPerson, random_);
  candidate.name = *clean;
  candidate.kind = PlayerKind::kPerson;
  candidate.created_at = time_.Now();
  Result<Player> player = co_await store_.SignIn("test:" + *clean, candidate, deadline);
  if (!player) co_return std::move(player).error();
  co_return Mint(*std::move(player), kTestSessionLifetime);
}

Result<Session> Sessions::Mint(Player player, Millis lifetime) const {
  rpc::Caller caller;
  caller.kind = CallerKindOf(player.kind);
  caller.id = player.id;
  caller.name = player.name;
  const TimePoint now = time_.Now();
  Result<std::string> token = tokens_.Mint(caller, now, now + lifetime);
  if (!token) return std::move(token).error();
  Session session;
  session.token = *std::move(token);
  session.expires = now + lifetime;
  session.player = std::move(player);
  return session;
}

}  // namespace komadai::rating
