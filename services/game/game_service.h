// GameService: the contract of services/game, nothing but conversion.
#pragma once

#include "komadai/game/v1/game.grpc.pb.h"
#include "libs/base/executor.h"
#include "libs/rpc/component.h"
#include "libs/rpc/server/method.h"
#include "libs/rpc/server/stream.h"
#include "libs/rpc/server/unary.h"
#include "services/game/app/game_commands.h"
#include "services/game/app/move_maker.h"
#include "services/game/app/presence.h"
#include "services/game/watch/heartbeats.h"

namespace komadai::game {

// Events on their way to all the watchers of a server.
inline constexpr std::size_t kMaxWaitingEvents = 1 << 18;

class GameService final : public pb::GameService::CallbackService {
 private:
  rpc::MethodTable methods_;  // first: the handlers below keep references into it

 public:
  GameService(rpc::BindContext& context, GameCommands& commands, MoveMaker& moves, GameStore& store,
              Presence& presence);

  KOMADAI_RPC_UNARY(GameService, CreateGame);
  KOMADAI_RPC_UNARY(GameService, GetGame);
  KOMADAI_RPC_UNARY(GameService, ListLiveGames);
  KOMADAI_RPC_UNARY(GameService, CountLiveGames);
  KOMADAI_RPC_UNARY(GameService, PlayMove);
  KOMADAI_RPC_UNARY(GameService, Resign);
  KOMADAI_RPC_UNARY(GameService, OfferDraw);
  KOMADAI_RPC_UNARY(GameService, AnswerDraw);
  KOMADAI_RPC_UNARY(GameService, DeclareImpasse);
  KOMADAI_RPC_UNARY(GameService, RequestTakeback);
  KOMADAI_RPC_UNARY(GameService, AnswerTakeback);
  KOMADAI_RPC_UNARY(GameService, AbortGame);
  KOMADAI_RPC_UNARY(GameService, AddTime);
  KOMADAI_RPC_UNARY(GameService, OfferPause);
  KOMADAI_RPC_UNARY(GameService, AnswerPause);
  KOMADAI_RPC_UNARY(GameService, ResumeGame);
  KOMADAI_RPC_UNARY(GameService, ClaimVictory);
  KOMADAI_RPC_UNARY(GameService, ClaimDraw);
  KOMADAI_RPC_UNARY(GameService, GetPresence);

  grpc::ServerWriteReactor<pb::WatchGameResponse>* WatchGame(
      grpc::CallbackServerContext* context, const pb::WatchGameRequest* request) override {
    return rpc::Stream(methods_["WatchGame"], context, request, this, &GameService::DoWatchGame);
  }
  grpc::ServerWriteReactor<pb::WatchPlayerGamesResponse>* WatchPlayerGames(
      grpc::CallbackServerContext* context, const pb::WatchPlayerGamesRequest* request) override {
    return rpc::Stream(methods_["WatchPlayerGames"], context, request, this,
                       &GameService::DoWatchPlayerGames);
  }

  // Every 15 seconds.
  void Beat();

 private:
  Task<Result<rpc::AfterSetup>> DoWatchGame(
      rpc::Call call, pb::WatchGameRequest request,
      std::shared_ptr<rpc::EventStream<pb::WatchGameResponse>> stream);
  Task<Result<rpc::AfterSetup>> DoWatchPlayerGames(
      rpc::Call call, pb::WatchPlayerGamesRequest request,
      std::shared_ptr<rpc::EventStream<pb::WatchPlayerGamesResponse>> stream);

  GameCommands& commands_;
  MoveMaker& moves_;
  GameStore& store_;
  Presence& presence_;
  const TimeSource& time_;
  Heartbeats<pb::WatchGameResponse> game_streams_;
  // One thread: the watchers of a server get what its players leave over.
  BoundedExecutor publisher_{"watchers", 1, kMaxWaitingEvents};
  Heartbeats<pb::WatchPlayerGamesResponse> player_streams_;
};

}  // namespace komadai::game
