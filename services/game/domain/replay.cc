#include "services/game/domain/replay.h"

#include <utility>

namespace komadai::game {

bool IsReplayed(const Game& game, const GameResult& result) {
  if (!game.setup.ruleset.drawn_game_is_replayed) return false;
  switch (result.ending) {
    case Ending::kImpasse:
      return result.outcome == Outcome::kDraw || result.outcome == Outcome::kNoResult;
    case Ending::kAbandoned:
      return false;
    case Ending::kPlyLimit:
      return result.outcome == Outcome::kDraw && game.setup.ruleset.ply_limit > 0;
    default:
      return result.outcome == Outcome::kDraw;
  }
}

ReplayTerms ReplayTermsOf(const Game& drawn) {
  ReplayTerms terms{drawn.players, drawn.time_control};
  if (terms.time_control && drawn.clock) {
    terms.time_control = timecontrol::Remaining(*drawn.time_control, *drawn.clock);
  }
  if (drawn.setup.handicap.empty()) {
    std::swap(terms.players[0], terms.players[1]);
    if (terms.time_control) std::swap(terms.time_control->first, terms.time_control->second);
  }
  return terms;
}

}  // namespace komadai::game
