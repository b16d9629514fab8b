// GameService: the contract of services/game, nothing but conversion.
#pragma once

#include "komadai/game/v1/game.grpc.pb.h"
#include "libs/base/executor.h"
#include "libs/rpc/component.h"
#include "libs/rpc/method.h"
#include "libs/rpc/stream.h"
#include "libs/rpc/unary.h"
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

// One unary method: gRPC's entry point and the coroutine DoName() behind it.
#define KOMADAI_GAME_UNARY(Name)                                                                   \
  grpc::ServerUnaryReactor* Name(grpc::CallbackServerContext* context,                             \
                                 const pb::Name##Request* request, pb::Name##Response* response)   \
      override {                                                                                   \
    return rpc::Unary(method_##Name##_, context, request, response, this, &GameService::Do##Name); \
  }                                                                                                \
  Task<Result<pb::Name##Response>> Do##Name(rpc::Call call, const pb::Name##Request& request);     \
  const rpc::Method& method_##Name##_ = methods_[#Name]

  KOMADAI_GAME_UNARY(CreateGame);
  KOMADAI_GAME_UNARY(GetGame);
  KOMADAI_GAME_UNARY(ListLiveGames);
  KOMADAI_GAME_UNARY(CountLiveGames);
  KOMADAI_GAME_UNARY(PlayMove);
  KOMADAI_GAME_UNARY(Resign);
  KOMADAI_GAME_UNARY(OfferDraw);
  KOMADAI_GAME_UNARY(AnswerDraw);
  KOMADAI_GAME_UNARY(DeclareImpasse);
  KOMADAI_GAME_UNARY(RequestTakeback);
  KOMADAI_GAME_UNARY(AnswerTakeback);
  KOMADAI_GAME_UNARY(AbortGame);
  KOMADAI_GAME_UNARY(AddTime);
  KOMADAI_GAME_UNARY(OfferPause);
  KOMADAI_GAME_UNARY(AnswerPause);
  KOMADAI_GAME_UNARY(ResumeGame);
  KOMADAI_GAME_UNARY(ClaimVictory);
  KOMADAI_GAME_UNARY(ClaimDraw);
  KOMADAI_GAME_UNARY(GetPresence);
#undef KOMADAI_GAME_UNARY

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
