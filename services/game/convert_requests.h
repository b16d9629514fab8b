// What requests of the contract ask for.
#pragma once

#include <string>

#include "komadai/game/v1/game.pb.h"
#include "libs/base/result.h"
#include "libs/rpc/call.h"
#include "services/game/app/creation.h"
#include "services/game/convert.h"

namespace komadai::game {

// GAME_NOT_FOUND for a malformed id.
Status CheckGameId(const std::string& game_id);

// The caller acts, for themselves.
PlayerAction ActionOf(const rpc::Call& call, const std::string& game_id);

// Who may create which game, and what a valid creation is. Validates everything but the setup,
// which the rules judge. CREATION_DENIED, INVALID_GAME, BAD_REQUEST_ID, the reasons of a time
// control.
Result<NewGame> NewGameFromProto(const rpc::Caller& creator, const pb::CreateGameRequest& request);

}  // namespace komadai::game
