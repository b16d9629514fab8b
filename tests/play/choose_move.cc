#include "tests/play/choose_move.h"

#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"

namespace komadai::play {
namespace {

bool Mates(const rules::Position& position, rules::Move move) {
  rules::Position after = position;
  after.PlayUnchecked(move);
  return after.InCheck() && !after.HasLegalMove();
}

bool MakesProgress(const rules::Position& position, rules::Move move) {
  return move.promotes || !position.at(move.to).empty();
}

}  // namespace

rules::Move ChooseMove(const rules::Position& position, bool mates, Random& random) {
  rules::MoveList moves;
  position.LegalMoves(moves);
  KOMADAI_CHECK(!moves.empty());
  if (mates) {
    for (const rules::Move move : moves) {
      if (Mates(position, move)) return move;
    }
  }
  // A few tries for one that makes progress, half of the time.
  rules::Move chosen = moves[random.Below(moves.size())];
  if (random.Below(2) == 0) return chosen;
  for (int attempt = 0; attempt < 8 && !MakesProgress(position, chosen); ++attempt) {
    chosen = moves[random.Below(moves.size())];
  }
  return chosen;
}

rules::GameState StartOf(rules::Variant variant) {
  Result<rules::Position> start = notation::ParsePosition(variant, "");
  Result<rules::Ruleset> ruleset = rules::FindRuleset(variant, "");
  KOMADAI_CHECK(start && ruleset);
  Result<rules::GameState> state = rules::GameState::Start(*ruleset, *start);
  KOMADAI_CHECK(state);
  return *std::move(state);
}

std::vector<std::string> RandomGame(rules::Variant variant, int plies, Random& random) {
  rules::GameState state = StartOf(variant);
  std::vector<std::string> moves;
  while (state.ply() < plies && !state.verdict().over()) {
    const rules::Move move = ChooseMove(state.position(), false, random);
    moves.push_back(notation::FormatPlainMove(variant, move));
    KOMADAI_CHECK(state.Play(move).has_value());
  }
  return moves;
}

}  // namespace komadai::play
