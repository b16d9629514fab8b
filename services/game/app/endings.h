// Endings: a player ends the game alone, by resigning or, before it has begun, by aborting.
#pragma once

#include "services/game/app/committer.h"

namespace komadai::game {

class Endings {
 public:
  explicit Endings(Committer& committer) : committer_(committer) {}

  Task<Result<StoredGame>> Resign(PlayerAction action);
  Task<Result<StoredGame>> Abort(PlayerAction action);

 private:
  Committer& committer_;
};

}  // namespace komadai::game
