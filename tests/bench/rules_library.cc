#include "tests/bench/rules_library.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "libs/notation/shogi/sfen.h"
#include "tests/bench/rules_games.h"
#include "tests/bench/rules_report.h"

namespace komadai::bench {
namespace {

using rules::GameState;
using rules::Move;
using rules::Variant;
using Work = std::function<void()>;

// Nanoseconds of a call of each: the best of many batches, which a busy machine disturbs least. The
// batches take turns, so that what is compared has been measured under the same disturbances.
std::vector<double> Measure(const std::vector<Work>& works) {
  using Clock = std::chrono::steady_clock;
  constexpr int kBatches = 400;
  constexpr int kCalls = 50;
  std::vector<double> best(works.size(), 1e18);
  for (int batch = 0; batch < kBatches; ++batch) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto start = Clock::now();
      for (int call = 0; call < kCalls; ++call) works[i]();
      const std::chrono::duration<double, std::nano> elapsed = Clock::now() - start;
      best[i] = std::min(best[i], elapsed.count() / kCalls);
    }
  }
  return best;
}

double Measure(const Work& work) { return Measure(std::vector<Work>{work}).front(); }

// A service's step: continue from bytes that somebody else keeps, play one move, and take what is
// to be appended to them.
Work ApplyTo(const std::vector<GameState>& states, int ply) {
  const GameState& before = states[static_cast<std::size_t>(ply)];
  const Move move = *states[static_cast<std::size_t>(ply) + 1].MoveAt(ply);
  return [&before, move] {
    auto state = GameState::Resume(before.ruleset(), before.position(), before.history());
    if (!state || !state->Play(move)) std::abort();
    const std::string entry(state->LastEntry());
    if (entry.empty()) std::abort();
  };
}

void BenchLongGames(Variant variant) {
  const std::string name(rules::VariantName(variant));
  const auto states = RandomGame(variant, 401, 1);
  const std::vector<double> cost = Measure({ApplyTo(states, 10), ApplyTo(states, 400)});
  Report(name + "-apply-ply-10", cost[0], "ns");
  Report(name + "-apply-ply-400", cost[1], "ns", "ply 10", cost[0]);
  const GameState& end = states.back();
  const double whole = Measure([&states, &end] {
    GameState state = states.front();
    for (int ply = 0; ply < end.ply(); ++ply) {
      if (!state.Play(*end.MoveAt(ply))) std::abort();
    }
  });
  Report(name + "-judge-401-plies", whole, "ns");
}

void BenchLegalMoves() {
  const auto setup =
      notation::ParseSfen(Variant::kShogi, "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1");
  const rules::Position position = *rules::Position::From(*setup);
  rules::MoveList moves;
  Report("shogi-list-593-moves", Measure([&] { position.LegalMoves(moves); }), "ns");
  Report("shogi-count-593-moves", Measure([&] { (void)position.CountLegalMoves(); }), "ns");
}

}  // namespace

void BenchRulesLibrary() {
  for (const Variant variant : {Variant::kShogi, Variant::kXiangqi}) BenchLongGames(variant);
  BenchLegalMoves();
}

}  // namespace komadai::bench
