// Draws: draw offers and the answers to them. domain/decide says what is allowed.
#pragma once

#include "services/game/app/committer.h"

namespace komadai::game {

class Draws {
 public:
  explicit Draws(Committer& committer) : committer_(committer) {}

  Task<Result<StoredGame>> Offer(PlayerAction action, int expected_ply);
  // `offer`: sequence number of the offer that is answered; 0: the open one.
  Task<Result<StoredGame>> Answer(PlayerAction action, bool accept, std::int64_t offer = 0);

 private:
  Committer& committer_;
};

}  // namespace komadai::game
