#include "libs/rules/repetition.h"

#include <algorithm>
#include <vector>

#include "libs/rules/game.h"

namespace komadai::rules {
namespace {

bool StepBack(const Game& game, std::array<std::byte, Position::kStateBytes>& state,
              const HistoryEntry& entry) {
  return game.Undo(state.data(), entry.move, entry.captured);
}

struct alignas(16) Walker {
  std::array<std::byte, Position::kStateBytes> state;
};

Walker WalkFrom(const Position& position) {
  Walker walker;
  std::copy_n(position.state(), Position::kStateBytes, walker.state.begin());
  return walker;
}

std::array<bool, 2> AlwaysChecked(const Position& current, const HistoryView& history,
                                  int first_ply) {
  std::array<bool, 2> always = {true, true};
  Side mover = Opponent(current.side_to_move());
  for (int ply = history.plies() - 1; ply >= first_ply; --ply, mover = Opponent(mover)) {
    if (!history.CheckedAt(ply)) always[static_cast<std::size_t>(mover)] = false;
  }
  return always;
}

// Bits of pieces that move along with them.
void Follow(SquareSet& pieces, Variant variant, Move move) {
  if (move.is_drop()) return;
  const auto from = static_cast<std::size_t>(SquareIndex(variant, move.from));
  const auto to = static_cast<std::size_t>(SquareIndex(variant, move.to));
  if (pieces.test(from)) {
    pieces.reset(from);
    pieces.set(to);
  }
}

// Whether a side newly chased one and the same enemy piece with every one of its moves.
std::optional<std::array<bool, 2>> AlwaysChased(const Position& current, const HistoryView& history,
                                                int first_ply) {
  const Game& game = current.game();
  const int plies = history.plies();
  std::vector<Walker> at(static_cast<std::size_t>(plies - first_ply + 1));
  at.back() = WalkFrom(current);
  for (std::size_t i = at.size() - 1; i > 0; --i) {
    at[i - 1] = at[i];
    const int ply = first_ply + static_cast<int>(i) - 1;
    if (!StepBack(game, at[i - 1].state, history.entry(ply))) return std::nullopt;
  }
  std::array<SquareSet, 2> victims;  // by chaser
  for (SquareSet& set : victims) set.set();
  Side mover = game.SideToMove(at.front().state.data());
  for (std::size_t i = 0; i + 1 < at.size(); ++i, mover = Opponent(mover)) {
    const Move move = history.entry(first_ply + static_cast<int>(i)).move;
    Follow(victims[static_cast<std::size_t>(Opponent(mover))], current.variant(), move);
    SquareSet& chased = victims[static_cast<std::size_t>(mover)];
    if (chased.none()) continue;
    chased &= game.NewlyChased(at[i].state.data(), move, at[i + 1].state.data());
  }
  return std::array<bool, 2>{victims[0].any(), victims[1].any()};
}

}  // namespace

std::optional<Occurrences> FindOccurrences(const Position& current, const HistoryView& history) {
  const int plies = history.plies();
  const auto key = static_cast<std::uint32_t>(current.key());
  const int earliest = history.FirstPlyWithLastKey();
  Occurrences found{1, plies};
  if (earliest == plies) return found;

  Walker walker = WalkFrom(current);
  for (int ply = plies - 1; ply >= earliest; --ply) {
    if (!StepBack(current.game(), walker.state, history.entry(ply))) return std::nullopt;
    if (history.KeyAfter(ply) != key) continue;
    if (!current.game().Equal(walker.state.data(), current.state())) continue;
    ++found.count;
    found.first_ply = ply;
  }
  return found;
}

std::optional<std::array<Offence, 2>> FindOffences(const Position& current,
                                                   const HistoryView& history, int first_ply,
                                                   const Ruleset& ruleset) {
  std::array<Offence, 2> offences = {Offence::kNone, Offence::kNone};
  if (ruleset.perpetual_chase_loses) {
    const auto chased = AlwaysChased(current, history, first_ply);
    if (!chased) return std::nullopt;
    for (std::size_t i = 0; i < 2; ++i) {
      if ((*chased)[i]) offences[i] = Offence::kChase;
    }
  }
  if (ruleset.perpetual_check_loses) {
    const auto checked = AlwaysChecked(current, history, first_ply);
    for (std::size_t i = 0; i < 2; ++i) {
      if (checked[i]) offences[i] = Offence::kCheck;
    }
  }
  return offences;
}

Verdict JudgeRepetition(const std::array<Offence, 2>& offences, const Ruleset& ruleset) {
  if (offences[0] == offences[1]) {
    if (offences[0] == Offence::kNone && ruleset.plain_repetition == PlainRepetition::kFirstLoses) {
      return {Ending::kRepetitionLoss, Side::kSecond};
    }
    return {Ending::kRepetitionDraw, std::nullopt};
  }
  const bool first_offends = offences[0] > offences[1];
  const Offence worst = first_offends ? offences[0] : offences[1];
  return {worst == Offence::kCheck ? Ending::kPerpetualCheck : Ending::kPerpetualChase,
          first_offends ? Side::kSecond : Side::kFirst};
}

}  // namespace komadai::rules
