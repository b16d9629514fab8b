// komadai-bench-rules: what one move, one list of legal moves and one whole game cost in the
// library. JSON lines; the peer of a long game's move is the same at ply 10, so that the ratio is
// its growth.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/random.h"
#include "libs/notation/sfen.h"
#include "libs/rules/game_state.h"
#include "libs/rules/handicap.h"

namespace komadai::rules {
namespace {

// Nanoseconds of one call: the best of many batches, which a busy machine disturbs least.
double Measure(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatches = 200;
  constexpr int kCalls = 50;
  double best = 1e18;
  for (int batch = 0; batch < kBatches; ++batch) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) work();
    const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
    best = std::min(best, elapsed.count() / kCalls);
  }
  return best;
}

void Print(const char* name, double nanoseconds) {
  std::printf(R"({"bench":"rules","case":"%s","value":%.4g,"unit":"ns"})"
              "\n",
              name, nanoseconds);
}

// Plays at random, without a ply limit, until a game of that length has come about.
std::vector<GameState> RandomGame(Variant variant, int plies) {
  SeededRandom random(1);
  Ruleset rules = *FindRuleset(variant, "");
  rules.ply_limit = 0;
  rules.quiet_ply_limit = 0;
  for (;;) {
    std::vector<GameState> states = {*GameState::Start(rules, StartPosition(variant))};
    while (states.back().ply() < plies && !states.back().verdict().over()) {
      MoveList moves;
      states.back().position().LegalMoves(moves);
      states.push_back(states.back());
      if (!states.back().Play(moves[random.Below(moves.size())])) break;
    }
    if (states.back().ply() == plies) return states;
  }
}

// A service's step: continue from the stored bytes and play one move.
double MeasureApply(const std::vector<GameState>& states, int ply) {
  const GameState& before = states[static_cast<std::size_t>(ply)];
  const Move move = *states[static_cast<std::size_t>(ply) + 1].MoveAt(ply);
  return Measure([&] {
    std::string stored;
    stored.reserve(before.history().size() + 64);  // room for the entry to come
    stored = before.history();
    auto state = GameState::Resume(before.ruleset(), before.position(), std::move(stored));
    if (!state || !state->Play(move)) std::abort();
  });
}

void BenchGame(Variant variant) {
  const std::string name(VariantName(variant));
  const auto states = RandomGame(variant, 401);
  const double early = MeasureApply(states, 10);
  const double late = MeasureApply(states, 400);
  Print((name + "-apply-ply-10").c_str(), early);
  std::printf(R"({"bench":"rules","case":"%s-apply-ply-400","value":%.4g,"unit":"ns",)"
              R"("peer":"ply 10","peer_value":%.4g,"ratio":%.3g})"
              "\n",
              name.c_str(), late, early, late / early);
  const GameState& end = states.back();
  Print((name + "-judge-401-plies").c_str(), Measure([&] {
          GameState state = states.front();
          for (int ply = 0; ply < end.ply(); ++ply) {
            if (!state.Play(*end.MoveAt(ply))) std::abort();
          }
        }));
}

void BenchLegalMoves() {
  const auto setup =
      notation::ParseSfen(Variant::kShogi, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
  const Position position = *Position::From(*setup);
  MoveList moves;
  Print("shogi-list-593-moves", Measure([&] { position.LegalMoves(moves); }));
  Print("shogi-count-593-moves", Measure([&] { (void)position.CountLegalMoves(); }));
}

}  // namespace
}  // namespace komadai::rules

int main() {
  for (const komadai::rules::Variant variant :
       {komadai::rules::Variant::kShogi, komadai::rules::Variant::kXiangqi}) {
    komadai::rules::BenchGame(variant);
  }
  komadai::rules::BenchLegalMoves();
  return 0;
}
