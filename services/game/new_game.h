// Who may create which game, and what a valid creation is.
#pragma once

#include <string>

#include "komadai/game/v1/game.pb.h"
#include "libs/base/result.h"
#include "libs/rpc/caller.h"
#include "services/game/app/game_commands.h"
#include "services/game/convert.h"

namespace komadai::game {

// 8 to 64 printable characters. INVALID_REQUEST.
Status CheckRequestId(const std::string& request_id);

// The id of the game that this creator's request creates: the same request finds the same game.
std::string GameIdFor(const std::string& creator_id, const std::string& request_id);

// Validates everything but the setup, which the rules judge. CREATION_DENIED, INVALID_GAME,
// INVALID_REQUEST, the reasons of a time control.
Result<NewGame> NewGameFromProto(const rpc::Caller& creator, const pb::CreateGameRequest& request);

}  // namespace komadai::game
