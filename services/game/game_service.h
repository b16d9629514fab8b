// GameService: the contract of services/game: converts requests and answers, decides nothing.
#pragma once

#include "komadai/game/v1/game.pb.h"
#include "libs/base/executor.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/service.h"
#include "services/game/app/game_app.h"
#include "services/game/app/presence.h"
#include "services/game/watch/heartbeats.h"

namespace komadai::game {

// Events on their way to all the watchers of a server.
inline constexpr std::size_t kMaxWaitingEvents = 1 << 18;

class GameService final : public rpc::Service {
 public:
  GameService(rpc::BindContext& context, GameApp& app, Presence& presence);

  Task<Result<pb::CreateGameResponse>> CreateGame(rpc::Call call,
                                                  const pb::CreateGameRequest& request);
  Task<Result<pb::GetGameResponse>> GetGame(rpc::Call call, const pb::GetGameRequest& request);
  Task<Result<pb::ListLiveGamesResponse>> ListLiveGames(rpc::Call call,
                                                        const pb::ListLiveGamesRequest& request);
  Task<Result<pb::CountLiveGamesResponse>> CountLiveGames(rpc::Call call,
                                                          const pb::CountLiveGamesRequest& request);
  Task<Result<pb::PlayMoveResponse>> PlayMove(rpc::Call call, const pb::PlayMoveRequest& request);
  Task<Result<pb::ResignResponse>> Resign(rpc::Call call, const pb::ResignRequest& request);
  Task<Result<pb::OfferDrawResponse>> OfferDraw(rpc::Call call,
                                                const pb::OfferDrawRequest& request);
  Task<Result<pb::AnswerDrawResponse>> AnswerDraw(rpc::Call call,
                                                  const pb::AnswerDrawRequest& request);
  Task<Result<pb::DeclareImpasseResponse>> DeclareImpasse(rpc::Call call,
                                                          const pb::DeclareImpasseRequest& request);
  Task<Result<pb::RequestTakebackResponse>> RequestTakeback(
      rpc::Call call, const pb::RequestTakebackRequest& request);
  Task<Result<pb::AnswerTakebackResponse>> AnswerTakeback(rpc::Call call,
                                                          const pb::AnswerTakebackRequest& request);
  Task<Result<pb::AbortGameResponse>> AbortGame(rpc::Call call,
                                                const pb::AbortGameRequest& request);
  Task<Result<pb::AddTimeResponse>> AddTime(rpc::Call call, const pb::AddTimeRequest& request);
  Task<Result<pb::OfferPauseResponse>> OfferPause(rpc::Call call,
                                                  const pb::OfferPauseRequest& request);
  Task<Result<pb::AnswerPauseResponse>> AnswerPause(rpc::Call call,
                                                    const pb::AnswerPauseRequest& request);
  Task<Result<pb::ResumeGameResponse>> ResumeGame(rpc::Call call,
                                                  const pb::ResumeGameRequest& request);
  Task<Result<pb::ClaimVictoryResponse>> ClaimVictory(rpc::Call call,
                                                      const pb::ClaimVictoryRequest& request);
  Task<Result<pb::ClaimDrawResponse>> ClaimDraw(rpc::Call call,
                                                const pb::ClaimDrawRequest& request);
  Task<Result<pb::GetPresenceResponse>> GetPresence(rpc::Call call,
                                                    const pb::GetPresenceRequest& request);

  // Every 15 seconds.
  void Beat();

 private:
  Task<Result<rpc::AfterSetup>> WatchGame(
      rpc::Call call, pb::WatchGameRequest request,
      std::shared_ptr<rpc::EventStream<pb::WatchGameResponse>> stream);
  Task<Result<rpc::AfterSetup>> WatchPlayerGames(
      rpc::Call call, pb::WatchPlayerGamesRequest request,
      std::shared_ptr<rpc::EventStream<pb::WatchPlayerGamesResponse>> stream);

  GameApp& app_;
  Presence& presence_;
  const TimeSource& time_;
  Heartbeats<pb::WatchGameResponse> game_streams_;
  // One thread: the watchers of a server get what its players leave over.
  BoundedExecutor publisher_{"watchers", 1, kMaxWaitingEvents};
  Heartbeats<pb::WatchPlayerGamesResponse> player_streams_;
};

}  // namespace komadai::game
