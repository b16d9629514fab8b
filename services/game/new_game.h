// Who may create which game, and what a valid creation is.
#pragma once

#include "komadai/game/v1/game.pb.h"
#include "libs/base/result.h"
#include "libs/rpc/caller.h"
#include "services/game/app/game_commands.h"
#include "services/game/convert.h"

namespace komadai::game {

// Validates everything but the setup, which the rules judge. CREATION_DENIED, INVALID_GAME,
// BAD_REQUEST_ID, the reasons of a time control.
Result<NewGame> NewGameFromProto(const rpc::Caller& creator, const pb::CreateGameRequest& request);

}  // namespace komadai::game
