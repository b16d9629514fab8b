// Takebacks: a player asks to take moves back, and the opponent answers.
#pragma once

#include <functional>

#include "services/game/app/committer.h"
#include "services/game/app/game_clock.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

struct TakebackOutcome {
  bool granted = false;
  int ply = 0;
};

class Takebacks {
 public:
  Takebacks(Committer& committer, GameStore& store, GameClock& clock, RulesPort& rules)
      : committer_(committer), store_(store), clock_(clock), rules_(rules) {}

  Task<Result<TakebackOutcome>> Request(PlayerAction action, int expected_ply);
  // `request`: sequence number of the request that is answered; 0: the open one.
  Task<Result<TakebackOutcome>> Answer(PlayerAction action, bool accept, std::int64_t request = 0);

 private:
  using Decide = std::function<Result<TakebackDecision>(const Game&, Side)>;
  Task<Result<TakebackOutcome>> Run(PlayerAction action, Decide decide);
  Task<livestore::Attempt<TakebackOutcome>> Try(PlayerAction action, Decide decide);
  // Commits the taking back of `plies`.
  Task<livestore::Attempt<TakebackOutcome>> TakeBack(rpc::Call call, StoredGame stored, int plies);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
  RulesPort& rules_;
};

}  // namespace komadai::game
