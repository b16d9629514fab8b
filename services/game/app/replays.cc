#include "services/game/app/replays.h"

#include "libs/rpc/server/request_id.h"
#include "services/game/domain/replay.h"

namespace komadai::game {

std::string ReplayIdOf(const std::string& game_id) {
  return rpc::IdFromRequest("komadai-game/replay", game_id);
}

void NameReplay(const Game& game, EventBody* event) {
  Ended* ended = std::get_if<Ended>(event);
  if (ended != nullptr && IsReplayed(game, ended->result)) {
    ended->replayed_by = ReplayIdOf(game.id);
  }
}

}  // namespace komadai::game
