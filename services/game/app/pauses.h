// Pauses: both players agree to stop the clocks, and later to go on.
#pragma once

#include <functional>

#include "services/game/app/committer.h"
#include "services/game/app/game_clock.h"
#include "services/game/domain/pause.h"

namespace komadai::game {

class Pauses {
 public:
  Pauses(Committer& committer, GameStore& store, GameClock& clock)
      : committer_(committer), store_(store), clock_(clock) {}

  Task<Result<StoredGame>> Offer(PlayerAction action, int expected_ply, Millis length);
  // `offer`: sequence number of the offer that is answered; 0: the open one.
  Task<Result<StoredGame>> Answer(PlayerAction action, bool accept, std::int64_t offer = 0);
  // The game resumes when both players want it.
  Task<Result<StoredGame>> Resume(PlayerAction action, int expected_ply);

 private:
  using Decide = std::function<Result<PauseDecision>(const Game&, Side)>;
  Task<Result<StoredGame>> Pause(PlayerAction action, Decide decide);
  Task<GameAttempt> TryPause(PlayerAction action, Decide decide);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
};

}  // namespace komadai::game
