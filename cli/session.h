// Session: a person at the terminal, signed in, and how they come to a game.
#pragma once

#include <memory>
#include <string>

#include "cli/connection.h"
#include "cli/play.h"
#include "komadai/common/v1/game_setup.pb.h"
#include "komadai/common/v1/player.pb.h"
#include "libs/base/result.h"

namespace komadai::cli {

struct Session {
  std::unique_ptr<Connection> connection;
  std::string token;
  common::v1::Player player;
};

Result<Session> SignIn(const Targets& targets, const PlayOptions& options);

struct Seat {
  std::string game_id;
  common::v1::Side side = common::v1::SIDE_UNSPECIFIED;
};

// Finds or creates the game the options ask for; may wait for another player.
Result<Seat> FindGame(Session& session, const PlayOptions& options);

}  // namespace komadai::cli
