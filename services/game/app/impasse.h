// Impasse: a player declares that both kings have entered and has the points counted.
#pragma once

#include <optional>

#include "services/game/app/committer.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

struct ImpasseOutcome {
  ImpasseReport report;
  std::optional<GameResult> result;  // set when it was confirmed
  bool proposed = false;             // confirmed, and the opponent's agreement is awaited
};

class Impasse {
 public:
  Impasse(Committer& committer, GameStore& store, RulesPort& rules)
      : committer_(committer), store_(store), rules_(rules) {}

  // Explains, and ends the game (or proposes to count) if `confirm`.
  Task<Result<ImpasseOutcome>> Declare(PlayerAction action, int expected_ply, bool confirm);
  // The computer, which is to move, declares an impasse if that is not to its disadvantage; whether
  // it did (or another change came first).
  Task<Result<bool>> DeclareForComputer(rpc::Call call, StoredGame stored);

 private:
  Task<Result<ImpasseOutcome>> CountByAgreement(PlayerAction action, StoredGame stored, Side side,
                                                int expected_ply, bool confirm);

  Committer& committer_;
  GameStore& store_;
  RulesPort& rules_;
};

}  // namespace komadai::game
