// The game and rating services over their contracts.
#pragma once

#include "komadai/game/v1/game.pb.h"
#include "komadai/rating/v1/rating.pb.h"
#include "libs/rpc/client/client.h"
#include "services/matchmaking/ports/ports.h"

namespace komadai::matchmaking {

class RemoteGame final : public GamePort {
 public:
  explicit RemoteGame(rpc::BindContext& context) : game_(context, "game") {}
  Task<Result<std::string>> Create(rpc::Call call, Match match) override;
  Task<Result<game::v1::Game>> Get(rpc::Call call, std::string game_id) override;
  Task<Result<bool>> PlayTogether(rpc::Call call, std::string player_id,
                                  std::string opponent_id) override;
  Task<Result<Counts>> CountLive(rpc::Call call) override;

 private:
  rpc::Client game_;
};

class RemoteRating final : public RatingPort {
 public:
  explicit RemoteRating(rpc::BindContext& context) : rating_(context, "rating") {}
  Task<Result<std::optional<int>>> RatingOf(rpc::Call call, std::string player_id,
                                            common::v1::Variant variant) override;
  Task<Result<bool>> MayPlayRated(rpc::Call call, std::string player_id,
                                  std::string opponent_id) override;

 private:
  rpc::Client rating_;
};

}  // namespace komadai::matchmaking
