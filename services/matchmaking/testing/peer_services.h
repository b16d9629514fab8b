// Stand-ins for the services that matchmaking calls, as components of a test's server.
#pragma once

#include <grpcpp/grpcpp.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"
#include "komadai/rating/v1/rating.grpc.pb.h"
#include "libs/base/mutex.h"
#include "libs/rpc/component.h"
#include "libs/rpc/error.h"

namespace komadai::matchmaking {

// Creates games as the game service does: one per request id, however often it is asked.
class GamePeer final : public game::v1::GameService::CallbackService {
 public:
  // What CreateGame refuses with from now on; null: nothing.
  void Refuse(const Reason* reason, const std::string& player = "") {
    const MutexLock lock(mutex_);
    refuse_ = reason;
    refused_player_ = player;
  }
  void Change(const std::string& game_id, const game::v1::Game& game) {
    const MutexLock lock(mutex_);
    games_[game_id] = game;
    games_[game_id].set_game_id(game_id);
  }
  game::v1::Game Get(const std::string& game_id) {
    const MutexLock lock(mutex_);
    return games_[game_id];
  }
  std::size_t games() {
    const MutexLock lock(mutex_);
    return games_.size();
  }

  grpc::ServerUnaryReactor* CreateGame(grpc::CallbackServerContext* context,
                                       const game::v1::CreateGameRequest* request,
                                       game::v1::CreateGameResponse* response) override {
    return Finish(context, Create(*request, *response));
  }
  grpc::ServerUnaryReactor* GetGame(grpc::CallbackServerContext* context,
                                    const game::v1::GetGameRequest* request,
                                    game::v1::GetGameResponse* response) override {
    const MutexLock lock(mutex_);
    const auto found = games_.find(request->game_id());
    if (found == games_.end()) {
      constexpr Reason kNotFound{Code::kNotFound, "GAME_NOT_FOUND"};
      return Finish(context, rpc::ToGrpcStatus(Error(kNotFound, "no such game")));
    }
    *response->mutable_game() = found->second;
    return Finish(context, grpc::Status::OK);
  }
  // Nobody plays.
  grpc::ServerUnaryReactor* ListLiveGames(grpc::CallbackServerContext* context,
                                          const game::v1::ListLiveGamesRequest*,
                                          game::v1::ListLiveGamesResponse*) override {
    return Finish(context, grpc::Status::OK);
  }
  grpc::ServerUnaryReactor* CountLiveGames(grpc::CallbackServerContext* context,
                                           const game::v1::CountLiveGamesRequest*,
                                           game::v1::CountLiveGamesResponse* response) override {
    game::v1::VariantCount& count = *response->add_counts();
    count.set_variant(common::v1::VARIANT_SHOGI);
    count.set_games(7);
    return Finish(context, grpc::Status::OK);
  }

 private:
  static grpc::ServerUnaryReactor* Finish(grpc::CallbackServerContext* context,
                                          const grpc::Status& status) {
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(status);
    return reactor;
  }
  grpc::Status Create(const game::v1::CreateGameRequest& request,
                      game::v1::CreateGameResponse& response) {
    const MutexLock lock(mutex_);
    if (refuse_ != nullptr) {
      return rpc::ToGrpcStatus(
          Error(*refuse_, "refused by the test", {{"player", refused_player_}}));
    }
    const std::string game_id = "game-of-" + request.request_id();
    game::v1::Game& game = games_[game_id];
    game.set_game_id(game_id);
    *game.mutable_setup() = request.setup();
    *game.mutable_first() = request.first();
    *game.mutable_second() = request.second();
    *game.mutable_time_control() = request.time_control();
    game.set_rated(request.rated());
    *response.mutable_game() = game;
    return grpc::Status::OK;
  }

  Mutex mutex_;
  const Reason* refuse_ KOMADAI_GUARDED_BY(mutex_) = nullptr;
  std::string refused_player_ KOMADAI_GUARDED_BY(mutex_);
  std::map<std::string, game::v1::Game> games_ KOMADAI_GUARDED_BY(mutex_);
};

class RatingPeer final : public rating::v1::RatingService::CallbackService {
 public:
  void SetDown(bool down) {
    const MutexLock lock(mutex_);
    down_ = down;
  }
  // The two have played all rated games they may today.
  void Exhaust(const std::string& player_id, const std::string& opponent_id) {
    const MutexLock lock(mutex_);
    exhausted_.insert({player_id, opponent_id});
    exhausted_.insert({opponent_id, player_id});
  }

  grpc::ServerUnaryReactor* GetRating(grpc::CallbackServerContext* context,
                                      const rating::v1::GetRatingRequest*,
                                      rating::v1::GetRatingResponse* response) override {
    response->mutable_rating()->set_elo(1500);
    response->mutable_rating()->set_games(10);
    return Finish(context);
  }
  grpc::ServerUnaryReactor* CheckRatedGame(grpc::CallbackServerContext* context,
                                           const rating::v1::CheckRatedGameRequest* request,
                                           rating::v1::CheckRatedGameResponse* response) override {
    const MutexLock lock(mutex_);
    response->set_allowed(!exhausted_.contains({request->player_id(), request->opponent_id()}));
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(grpc::Status::OK);
    return reactor;
  }

 private:
  grpc::ServerUnaryReactor* Finish(grpc::CallbackServerContext* context) {
    const MutexLock lock(mutex_);
    grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
    reactor->Finish(down_ ? grpc::Status(grpc::StatusCode::UNAVAILABLE, "away") : grpc::Status::OK);
    return reactor;
  }

  Mutex mutex_;
  bool down_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::set<std::pair<std::string, std::string>> exhausted_ KOMADAI_GUARDED_BY(mutex_);
};

// A component that serves one of the above, which must outlive the server.
inline rpc::ComponentSpec PeerComponent(const std::string& name, grpc::Service* service) {
  class Peer final : public rpc::Component {
   public:
    explicit Peer(grpc::Service* service) : service_(service) {}
    std::vector<rpc::Service*> Services() override { return {}; }
    std::vector<grpc::Service*> PlainServices() override { return {service_}; }

   private:
    grpc::Service* const service_;
  };
  return {.name = name,
          .dependencies = {},
          .add_settings = {},
          .bind = [service](rpc::BindContext&) -> Result<std::unique_ptr<rpc::Component>> {
            return std::unique_ptr<rpc::Component>(std::make_unique<Peer>(service));
          }};
}

}  // namespace komadai::matchmaking
