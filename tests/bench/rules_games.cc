#include "tests/bench/rules_games.h"

#include "libs/base/random.h"
#include "libs/rules/handicap.h"

namespace komadai::bench {

std::vector<rules::GameState> RandomGame(rules::Variant variant, int plies, std::uint64_t seed) {
  SeededRandom random(seed);
  rules::Ruleset ruleset = *rules::FindRuleset(variant, "");
  ruleset.ply_limit = 0;
  ruleset.quiet_ply_limit = 0;
  for (;;) {
    std::vector<rules::GameState> states = {
        *rules::GameState::Start(ruleset, rules::StartPosition(variant))};
    while (states.back().ply() < plies && !states.back().verdict().over()) {
      rules::MoveList moves;
      states.back().position().LegalMoves(moves);
      states.push_back(states.back());
      if (!states.back().Play(moves[random.Below(moves.size())])) break;
    }
    if (states.back().ply() == plies && !states.back().verdict().over()) return states;
  }
}

}  // namespace komadai::bench
