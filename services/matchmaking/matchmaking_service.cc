#include "services/matchmaking/matchmaking_service.h"

#include <algorithm>
#include <utility>

#include "libs/convert/variant.h"
#include "libs/rpc/error.h"
#include "libs/rpc/request_id.h"
#include "services/matchmaking/errors.h"
#include "services/matchmaking/watch/seek_watcher.h"

namespace komadai::matchmaking {
namespace {

constexpr int kMaxOtherControls = 5;
constexpr int kMaxRatingRange = 4000;
constexpr int kDefaultLifetimeSeconds = 86400;
constexpr int kMinLifetimeSeconds = 60;
constexpr int kMaxLifetimeSeconds = 604800;
constexpr std::size_t kMinLinkRequestId = 20;
constexpr std::size_t kMaxIdBytes = 64;
constexpr int kLobbySeeks = 100;

rpc::MethodTable::Rows Rows() {
  const rpc::MethodOptions act{.max_deadline = Millis(10000), .allow = rpc::kPersons};
  const rpc::MethodOptions read{.max_deadline = Millis(5000), .allow = rpc::kAnyone};
  const rpc::MethodOptions watch{.max_deadline = rpc::kNoDeadline, .allow = rpc::kPersons};
  return {
      {"CreateSeek", act},
      {"WatchSeek", watch},
      {"CancelSeek", act},
      {"CreateChallenge", act},
      {"GetChallenge", read},
      {"AcceptChallenge", act},
      {"DeclineChallenge", act},
      {"RequestRematch", act},
      {"GetLobby", read},
      {"WatchLobby", {.max_deadline = rpc::kNoDeadline, .allow = rpc::kAnyone}},
  };
}

common_pb::Player PlayerOf(const rpc::Caller& caller) {
  common_pb::Player player;
  player.set_player_id(caller.id);
  player.set_name(caller.name);
  switch (caller.kind) {
    case rpc::CallerKind::kPlayer:
      player.set_kind(common_pb::PLAYER_KIND_PERSON);
      break;
    case rpc::CallerKind::kBot:
      player.set_kind(common_pb::PLAYER_KIND_BOT);
      break;
    default:
      player.set_kind(common_pb::PLAYER_KIND_GUEST);
      break;
  }
  return player;
}

Status CheckRated(const rpc::Caller& caller, const pb::GameTerms& terms) {
  if (!terms.rated() || rpc::kVerified.Contains(caller.kind)) return {};
  return Error(kVerifiedAccountNeeded, "rated games need a verified account");
}

Status CheckWish(pb::SideWish wish) {
  if (pb::SideWish_IsValid(wish)) return {};
  return rpc::InvalidField(kInvalidRequest, "side", "is no wish for a side");
}

}  // namespace

MatchmakingService::MatchmakingService(rpc::BindContext& context, SeekDesk& seeks,
                                       ChallengeDesk& challenges, MatchStore& store)
    : methods_(context.runtime, pb::MatchmakingService::service_full_name(), Rows()),
      seeks_(seeks),
      challenges_(challenges),
      store_(store),
      time_(context.time) {}

Task<Result<pb::CreateSeekResponse>> MatchmakingService::DoCreateSeek(
    rpc::Call call, const pb::CreateSeekRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) co_return std::move(id).error();
  if (Status wish = CheckWish(request.side()); !wish) co_return std::move(wish).error();
  if (request.rating_range() < 0 || request.rating_range() > kMaxRatingRange) {
    co_return rpc::InvalidField(kInvalidRequest, "rating_range", "must be between 0 and 4000");
  }
  if (request.other_time_controls_size() > kMaxOtherControls) {
    co_return rpc::InvalidField(kInvalidRequest, "other_time_controls", "at most 5");
  }
  Result<pb::GameTerms> terms = NormaliseTerms(request.terms(), false);
  if (!terms) co_return std::move(terms).error();
  if (Status rated = CheckRated(call.caller(), *terms); !rated) {
    co_return std::move(rated).error();
  }
  NewSeek wish;
  wish.seek_id = rpc::IdFromRequest(call.caller().id, request.request_id());
  wish.player = PlayerOf(call.caller());
  wish.terms = *std::move(terms);
  for (const common_pb::TimeControl& other : request.other_time_controls()) {
    Result<common_pb::TimeControl> control = NormaliseControl(other);
    if (!control) co_return std::move(control).error();
    wish.other_controls.push_back(*std::move(control));
  }
  wish.wish = request.side();
  wish.rating_range = request.rating_range();
  Result<pb::Seek> seek = co_await seeks_.Create(call, std::move(wish));
  if (!seek) co_return std::move(seek).error();
  pb::CreateSeekResponse response;
  *response.mutable_seek() = *std::move(seek);
  co_return response;
}

Task<Result<pb::CancelSeekResponse>> MatchmakingService::DoCancelSeek(
    rpc::Call call, const pb::CancelSeekRequest& request) {
  Result<pb::Seek> seek = co_await seeks_.Cancel(call, request.seek_id(), call.caller().id);
  if (!seek) co_return std::move(seek).error();
  pb::CancelSeekResponse response;
  *response.mutable_seek() = *std::move(seek);
  co_return response;
}

Task<Result<pb::CreateChallengeResponse>> MatchmakingService::DoCreateChallenge(
    rpc::Call call, const pb::CreateChallengeRequest& request) {
  if (Status id = rpc::CheckRequestId(request.request_id()); !id) co_return std::move(id).error();
  if (request.opponent_id().empty() && request.request_id().size() < kMinLinkRequestId) {
    // The link's code follows from it: it must not be guessed.
    co_return rpc::InvalidField(kInvalidRequest, "request_id",
                                "for a link it must be random, with 20 characters or more");
  }
  if (request.opponent_id().size() > kMaxIdBytes) {
    co_return rpc::InvalidField(kInvalidRequest, "opponent_id", "is no id of a player");
  }
  if (request.opponent_id() == call.caller().id) {
    co_return Error(kOwnChallenge, "nobody plays against themselves");
  }
  if (Status wish = CheckWish(request.side()); !wish) co_return std::move(wish).error();
  const int lifetime =
      request.lifetime_seconds() == 0 ? kDefaultLifetimeSeconds : request.lifetime_seconds();
  if (lifetime < kMinLifetimeSeconds || lifetime > kMaxLifetimeSeconds) {
    co_return rpc::InvalidField(kInvalidRequest, "lifetime_seconds",
                                "must be between 60 and 604800");
  }
  Result<pb::GameTerms> terms = NormaliseTerms(request.terms(), true);
  if (!terms) co_return std::move(terms).error();
  if (Status rated = CheckRated(call.caller(), *terms); !rated) {
    co_return std::move(rated).error();
  }
  NewChallenge wish;
  wish.challenge_id = rpc::IdFromRequest(call.caller().id, request.request_id());
  wish.challenger = PlayerOf(call.caller());
  wish.terms = *std::move(terms);
  wish.wish = request.side();
  wish.opponent_id = request.opponent_id();
  wish.lifetime = Millis(std::int64_t{lifetime} * 1000);
  Result<pb::Challenge> challenge = co_await challenges_.Create(std::move(wish));
  if (!challenge) co_return std::move(challenge).error();
  pb::CreateChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::GetChallengeResponse>> MatchmakingService::DoGetChallenge(
    rpc::Call, const pb::GetChallengeRequest& request) {
  Result<pb::Challenge> challenge = co_await challenges_.Get(request.challenge_id());
  if (!challenge) co_return std::move(challenge).error();
  pb::GetChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::AcceptChallengeResponse>> MatchmakingService::DoAcceptChallenge(
    rpc::Call call, const pb::AcceptChallengeRequest& request) {
  Result<AcceptedChallenge> accepted =
      co_await challenges_.Accept(call, request.challenge_id(), PlayerOf(call.caller()));
  if (!accepted) co_return std::move(accepted).error();
  pb::AcceptChallengeResponse response;
  *response.mutable_challenge() = accepted->challenge;
  response.set_side(convert::ToProto(accepted->side));
  co_return response;
}

Task<Result<pb::DeclineChallengeResponse>> MatchmakingService::DoDeclineChallenge(
    rpc::Call call, const pb::DeclineChallengeRequest& request) {
  Result<pb::Challenge> challenge =
      co_await challenges_.Decline(request.challenge_id(), call.caller().id);
  if (!challenge) co_return std::move(challenge).error();
  pb::DeclineChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::RequestRematchResponse>> MatchmakingService::DoRequestRematch(
    rpc::Call call, const pb::RequestRematchRequest& request) {
  if (request.game_id().empty() || request.game_id().size() > kMaxIdBytes) {
    co_return rpc::InvalidField(kInvalidRequest, "game_id", "is no id of a game");
  }
  Result<Rematch> rematch =
      co_await challenges_.RequestRematch(call, request.game_id(), call.caller().id);
  if (!rematch) co_return std::move(rematch).error();
  pb::RequestRematchResponse response;
  response.set_new_game_id(rematch->new_game_id);
  response.set_expires_at_ms(rematch->expires_at_ms);
  co_return response;
}

Task<Result<pb::Lobby>> MatchmakingService::ReadLobby() {
  Result<std::vector<std::string>> waiting = co_await store_.Waiting(kLobbySeeks);
  if (!waiting) co_return std::move(waiting).error();
  Result<std::int64_t> count = co_await store_.CountWaiting();
  if (!count) co_return std::move(count).error();
  pb::Lobby lobby;
  for (const std::string& seek_id : *waiting) {
    Result<SeekEntry> entry = co_await store_.LoadSeek(seek_id);
    if (!entry) co_return std::move(entry).error();
    if (entry->value.seek().state() == pb::SEEK_STATE_WAITING) {
      *lobby.add_seeks() = entry->value.seek();
    }
  }
  lobby.set_waiting(static_cast<int>(*count));
  co_return lobby;
}

namespace {

pb::Lobby Only(pb::Lobby lobby, common_pb::Variant variant) {
  if (variant == common_pb::VARIANT_UNSPECIFIED) return lobby;
  pb::Lobby filtered;
  for (const pb::Seek& seek : lobby.seeks()) {
    if (seek.terms().setup().variant() == variant) *filtered.add_seeks() = seek;
  }
  filtered.set_waiting(lobby.waiting());
  return filtered;
}

}  // namespace

Task<Result<pb::GetLobbyResponse>> MatchmakingService::DoGetLobby(
    rpc::Call, const pb::GetLobbyRequest& request) {
  Result<pb::Lobby> lobby = co_await ReadLobby();
  if (!lobby) co_return std::move(lobby).error();
  pb::GetLobbyResponse response;
  *response.mutable_lobby() = Only(*std::move(lobby), request.variant());
  response.mutable_lobby()->set_at_ms(ToUnixMillis(time_.Now()));
  co_return response;
}

Task<Result<rpc::AfterSetup>> MatchmakingService::DoWatchLobby(
    rpc::Call, pb::WatchLobbyRequest request, std::shared_ptr<LobbyStream> stream) {
  Result<pb::Lobby> lobby = co_await ReadLobby();
  if (!lobby) co_return std::move(lobby).error();
  pb::WatchLobbyResponse response;
  *response.mutable_lobby() = Only(*std::move(lobby), request.variant());
  auto watcher = std::make_shared<LobbyWatcher>();
  watcher->stream = stream;
  watcher->variant = request.variant();
  watcher->last = response.lobby().SerializeAsString();
  response.mutable_lobby()->set_at_ms(ToUnixMillis(time_.Now()));
  stream->Publish(std::move(response));
  const std::lock_guard lock(mutex_);
  lobby_watchers_.push_back(std::move(watcher));
  co_return rpc::AfterSetup::kStayOpen;
}

Task<void> MatchmakingService::SendLobby() {
  std::vector<std::shared_ptr<LobbyWatcher>> watchers;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(lobby_watchers_, [](const std::shared_ptr<LobbyWatcher>& watcher) {
      const std::shared_ptr<LobbyStream> stream = watcher->stream.lock();
      return stream == nullptr || stream->Ended();
    });
    watchers = lobby_watchers_;
  }
  if (watchers.empty()) co_return;
  Result<pb::Lobby> lobby = co_await ReadLobby();
  if (!lobby) co_return;  // the store is away: the next round will tell
  for (const std::shared_ptr<LobbyWatcher>& watcher : watchers) {
    pb::WatchLobbyResponse response;
    *response.mutable_lobby() = Only(*lobby, watcher->variant);
    std::string now = response.lobby().SerializeAsString();
    if (now == watcher->last) continue;
    watcher->last = std::move(now);
    response.mutable_lobby()->set_at_ms(ToUnixMillis(time_.Now()));
    if (const std::shared_ptr<LobbyStream> stream = watcher->stream.lock()) {
      stream->Publish(std::move(response));
    }
  }
}

Task<Result<rpc::AfterSetup>> MatchmakingService::DoWatchSeek(rpc::Call call,
                                                              pb::WatchSeekRequest request,
                                                              std::shared_ptr<SeekStream> stream) {
  Result<SeekEntry> entry = co_await seeks_.Find(request.seek_id(), call.caller().id);
  if (!entry) co_return std::move(entry).error();
  if (entry->value.seek().state() == pb::SEEK_STATE_WAITING) {
    Status touched = co_await seeks_.Touch(request.seek_id());
    if (!touched) co_return std::move(touched).error();
  }
  {
    const std::lock_guard lock(mutex_);
    watched_[request.seek_id() + "/" + std::to_string(next_watch_++)] = stream;
  }
  std::make_shared<SeekWatcher>(store_, request.seek_id(), stream)->Follow();
  co_return rpc::AfterSetup::kStayOpen;
}

Task<void> MatchmakingService::TouchWatched() {
  std::vector<std::string> open;
  {
    const std::lock_guard lock(mutex_);
    std::erase_if(watched_, [&open](const auto& entry) {
      const std::shared_ptr<SeekStream> stream = entry.second.lock();
      if (stream == nullptr || stream->Ended()) return true;
      open.push_back(entry.first.substr(0, entry.first.find('/')));
      return false;
    });
  }
  for (const std::string& seek_id : open) (void)co_await seeks_.Touch(seek_id);
}

}  // namespace komadai::matchmaking
