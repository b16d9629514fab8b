#include "services/game/app/draws.h"

#include <utility>

namespace komadai::game {

Task<Result<StoredGame>> Draws::Offer(PlayerAction action, int expected_ply) {
  return committer_.Act(std::move(action), [expected_ply](const Game& game, Side side) {
    return DecideOfferDraw(game, side, expected_ply);
  });
}

Task<Result<StoredGame>> Draws::Answer(PlayerAction action, bool accept, std::int64_t offer) {
  return committer_.Act(std::move(action), [accept, offer](const Game& game, Side side) {
    return DecideAnswerDraw(game, side, accept, offer);
  });
}

}  // namespace komadai::game
