#include "services/game/app/endings.h"

#include <utility>

namespace komadai::game {

Task<Result<StoredGame>> Endings::Resign(PlayerAction action) {
  return committer_.Act(std::move(action), DecideResign);
}

Task<Result<StoredGame>> Endings::Abort(PlayerAction action) {
  return committer_.Act(std::move(action), DecideAbort);
}

}  // namespace komadai::game
