#include "services/matchmaking/matchmaking_service.h"

#include <utility>

#include "libs/convert/variant.h"
#include "services/matchmaking/convert.h"

namespace komadai::matchmaking {
namespace {

constexpr Millis kLobbyAge{1000};

}  // namespace

MatchmakingService::MatchmakingService(rpc::BindContext& context, SeekDesk& seeks,
                                       ChallengeDesk& challenges, SeekStore& store,
                                       LobbyBoard& board)
    : Service(context.runtime, "komadai.matchmaking.v1.MatchmakingService"),
      seeks_(seeks),
      challenges_(challenges),
      store_(store),
      board_(board),
      link_key_(context.tokens.KeyFor("matchmaking: codes of links")),
      seek_watchers_(store, seeks, context.time),
      lobby_watchers_(board) {
  const rpc::MethodOptions act{.max_deadline = Millis(10000), .allow = rpc::kPersons};
  const rpc::MethodOptions read{.max_deadline = Millis(5000), .allow = rpc::kAnyone};
  const rpc::MethodOptions create{
      .max_deadline = Millis(10000), .allow = rpc::kPersons, .cost = 20};
  Unary(&MatchmakingService::CreateSeek, create);
  Unary(&MatchmakingService::CancelSeek, act);
  Unary(&MatchmakingService::AnswerMatch, act);
  Unary(&MatchmakingService::CreateChallenge, create);
  Unary(&MatchmakingService::GetChallenge, read);
  Unary(&MatchmakingService::AcceptChallenge, act);
  Unary(&MatchmakingService::DeclineChallenge, act);
  Unary(&MatchmakingService::RequestRematch, act);
  Unary(&MatchmakingService::GetLobby, read);
  Stream(&MatchmakingService::WatchSeek,
         {.max_deadline = rpc::kNoDeadline, .allow = rpc::kPersons});
  Stream(&MatchmakingService::WatchLobby,
         {.max_deadline = rpc::kNoDeadline, .allow = rpc::kAnyone});
}

Task<Result<pb::CreateSeekResponse>> MatchmakingService::CreateSeek(
    rpc::Call call, const pb::CreateSeekRequest& request) {
  Result<NewSeek> wish = NewSeekFromProto(call.caller(), request);
  if (!wish) co_return std::move(wish).error();
  Result<pb::Seek> seek = co_await seeks_.Create(call, *std::move(wish));
  if (!seek) co_return std::move(seek).error();
  pb::CreateSeekResponse response;
  *response.mutable_seek() = *std::move(seek);
  co_return response;
}

Task<Result<pb::CancelSeekResponse>> MatchmakingService::CancelSeek(
    rpc::Call call, const pb::CancelSeekRequest& request) {
  if (Status id = CheckId(request.seek_id(), "seek_id"); !id) co_return std::move(id).error();
  Result<pb::Seek> seek = co_await seeks_.Cancel(call, request.seek_id(), call.caller().id);
  if (!seek) co_return std::move(seek).error();
  pb::CancelSeekResponse response;
  *response.mutable_seek() = *std::move(seek);
  co_return response;
}

Task<Result<pb::AnswerMatchResponse>> MatchmakingService::AnswerMatch(
    rpc::Call call, const pb::AnswerMatchRequest& request) {
  if (Status id = CheckId(request.seek_id(), "seek_id"); !id) co_return std::move(id).error();
  if (Status id = CheckId(request.match_id(), "match_id"); !id) co_return std::move(id).error();
  Result<pb::Seek> seek = co_await seeks_.Answer(request.seek_id(), call.caller().id,
                                                 request.match_id(), request.accept());
  if (!seek) co_return std::move(seek).error();
  pb::AnswerMatchResponse response;
  *response.mutable_seek() = *std::move(seek);
  co_return response;
}

Task<Result<pb::CreateChallengeResponse>> MatchmakingService::CreateChallenge(
    rpc::Call call, const pb::CreateChallengeRequest& request) {
  Result<NewChallenge> wish = NewChallengeFromProto(call.caller(), request, link_key_);
  if (!wish) co_return std::move(wish).error();
  Result<pb::Challenge> challenge = co_await challenges_.Create(*std::move(wish));
  if (!challenge) co_return std::move(challenge).error();
  pb::CreateChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::GetChallengeResponse>> MatchmakingService::GetChallenge(
    rpc::Call, const pb::GetChallengeRequest& request) {
  if (Status id = CheckId(request.challenge_id(), "challenge_id"); !id) {
    co_return std::move(id).error();
  }
  Result<pb::Challenge> challenge = co_await challenges_.Get(request.challenge_id());
  if (!challenge) co_return std::move(challenge).error();
  pb::GetChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::AcceptChallengeResponse>> MatchmakingService::AcceptChallenge(
    rpc::Call call, const pb::AcceptChallengeRequest& request) {
  if (Status id = CheckId(request.challenge_id(), "challenge_id"); !id) {
    co_return std::move(id).error();
  }
  Result<AcceptedChallenge> accepted =
      co_await challenges_.Accept(call, request.challenge_id(), PlayerOf(call.caller()));
  if (!accepted) co_return std::move(accepted).error();
  pb::AcceptChallengeResponse response;
  *response.mutable_challenge() = accepted->challenge;
  response.set_side(convert::ToProto(accepted->side));
  co_return response;
}

Task<Result<pb::DeclineChallengeResponse>> MatchmakingService::DeclineChallenge(
    rpc::Call call, const pb::DeclineChallengeRequest& request) {
  if (Status id = CheckId(request.challenge_id(), "challenge_id"); !id) {
    co_return std::move(id).error();
  }
  Result<pb::Challenge> challenge =
      co_await challenges_.Decline(request.challenge_id(), call.caller().id);
  if (!challenge) co_return std::move(challenge).error();
  pb::DeclineChallengeResponse response;
  *response.mutable_challenge() = *std::move(challenge);
  co_return response;
}

Task<Result<pb::RequestRematchResponse>> MatchmakingService::RequestRematch(
    rpc::Call call, const pb::RequestRematchRequest& request) {
  if (Status id = CheckId(request.game_id(), "game_id"); !id) co_return std::move(id).error();
  Task<Result<Rematch>> asked =
      request.withdraw() ? challenges_.WithdrawRematch(call, request.game_id(), call.caller().id)
                         : challenges_.RequestRematch(call, request.game_id(), call.caller().id);
  Result<Rematch> rematch = co_await std::move(asked);
  if (!rematch) co_return std::move(rematch).error();
  pb::RequestRematchResponse response;
  response.set_new_game_id(rematch->new_game_id);
  response.set_expires_at_ms(rematch->expires_at_ms);
  co_return response;
}

Task<Result<pb::GetLobbyResponse>> MatchmakingService::GetLobby(
    rpc::Call, const pb::GetLobbyRequest& request) {
  Result<LobbyBoard::Message> message = co_await board_.Read(request.variant(), kLobbyAge);
  if (!message) co_return std::move(message).error();
  pb::GetLobbyResponse response;
  *response.mutable_lobby() = (*message)->lobby();
  co_return response;
}

Task<Result<rpc::AfterSetup>> MatchmakingService::WatchLobby(
    rpc::Call call, pb::WatchLobbyRequest request, std::shared_ptr<LobbyWatchers::Stream> stream) {
  if (call.caller().IsPerson()) {
    stream->OnEnd([here = attendance_.Enter(call.caller().id)]() mutable { here.reset(); });
  }
  Status added = co_await lobby_watchers_.Add(request.variant(), request.changes(), stream);
  if (!added) co_return std::move(added).error();
  co_return rpc::AfterSetup::kStayOpen;
}

Task<Result<rpc::AfterSetup>> MatchmakingService::WatchSeek(
    rpc::Call call, pb::WatchSeekRequest request, std::shared_ptr<SeekWatcher::Stream> stream) {
  if (Status id = CheckId(request.seek_id(), "seek_id"); !id) co_return std::move(id).error();
  Result<SeekEntry> entry = co_await seeks_.Find(request.seek_id(), call.caller().id);
  if (!entry) co_return std::move(entry).error();
  if (IsOpen(*entry)) {
    std::vector<std::string> seek_ids{request.seek_id()};
    Status touched = co_await seeks_.Touch(std::move(seek_ids));
    if (!touched) co_return std::move(touched).error();
  }
  auto watcher = std::make_shared<SeekWatcher>(store_, request.seek_id(), stream,
                                               attendance_.Enter(call.caller().id));
  seek_watchers_.Add(watcher);
  watcher->Follow();
  co_return rpc::AfterSetup::kStayOpen;
}

}  // namespace komadai::matchmaking
