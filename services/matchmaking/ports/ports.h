// What matchmaking asks of the other services.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "komadai/common/v1/game_setup.pb.h"
#include "komadai/common/v1/player.pb.h"
#include "komadai/game/v1/game.pb.h"
#include "komadai/matchmaking/v1/matchmaking.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/rpc/call.h"

namespace komadai::matchmaking {

// A game to create. `match_id` names it: a repeated call finds the same game.
struct Match {
  std::string match_id;
  komadai::common::v1::Player first;
  komadai::common::v1::Player second;
  komadai::matchmaking::v1::GameTerms terms;
};

class GamePort {
 public:
  virtual ~GamePort() = default;
  // The id of the game. Idempotent by match id.
  virtual Task<Result<std::string>> Create(rpc::Call call, Match match) = 0;
  virtual Task<Result<komadai::game::v1::Game>> Get(rpc::Call call, std::string game_id) = 0;
  // Whether the two have a game in progress with each other.
  virtual Task<Result<bool>> PlayTogether(rpc::Call call, std::string player_id,
                                          std::string opponent_id) = 0;
  using Counts = std::map<komadai::common::v1::Variant, int>;
  // Live games by variant.
  virtual Task<Result<Counts>> CountLive(rpc::Call call) = 0;
};

class RatingPort {
 public:
  virtual ~RatingPort() = default;
  // Whole points; nullopt for a player without a rated game.
  virtual Task<Result<std::optional<int>>> RatingOf(rpc::Call call, std::string player_id,
                                                    komadai::common::v1::Variant variant) = 0;
  // Whether the two may play another rated game: their number per pair and day is limited.
  virtual Task<Result<bool>> MayPlayRated(rpc::Call call, std::string player_id,
                                          std::string opponent_id) = 0;
};

}  // namespace komadai::matchmaking
