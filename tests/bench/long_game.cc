#include "tests/bench/long_game.h"

#include <random>

#include "libs/base/check.h"
#include "libs/notation/plain_move.h"
#include "libs/rules/game_state.h"
#include "libs/rules/handicap.h"

namespace komadai::bench {
namespace {

using rules::GameState;
using rules::Variant;

// Empty if the game ends too early.
std::vector<std::string> TryGame(int plies, unsigned seed) {
  std::mt19937 random(seed);
  const auto start = rules::StartPosition(Variant::kShogi, "");
  auto state = GameState::Start(*rules::FindRuleset(Variant::kShogi, ""), *start);
  std::vector<std::string> moves;
  for (int ply = 0; ply < plies; ++ply) {
    rules::MoveList legal;
    state->position().LegalMoves(legal);
    const rules::Move move = legal[random() % legal.size()];
    KOMADAI_CHECK(state->Play(move).has_value());
    if (state->verdict().over()) return {};
    moves.push_back(notation::FormatPlainMove(Variant::kShogi, move));
  }
  return moves;
}

}  // namespace

std::vector<std::string> LongGame(int plies) {
  for (unsigned seed = 1;; ++seed) {
    std::vector<std::string> moves = TryGame(plies, seed);
    if (!moves.empty()) return moves;
  }
}

}  // namespace komadai::bench
