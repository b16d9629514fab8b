#include "tests/fuzz/game_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/base/check.h"
#include "libs/rules/game.h"
#include "tests/fuzz/checks.h"

namespace komadai::fuzz {
namespace {

using rules::Ending;
using rules::GameState;
using rules::ImpasseAsk;
using rules::Move;
using rules::MoveList;
using rules::Position;
using rules::Side;
using rules::Verdict;

bool Listed(const Position& position, Move move) {
  MoveList moves;
  position.LegalMoves(moves);
  return std::find(moves.begin(), moves.end(), move) != moves.end();
}

Verdict LossOf(Side side, Ending ending) { return {ending, rules::Opponent(side)}; }

void CheckTyped(const Status& status) {
  if (!status) CheckRefusal(status.error());
}

}  // namespace

GameModel::GameModel(GameState start) : state_(std::move(start)) {
  past_.push_back({state_.position(), state_.history(), state_.verdict(), Move()});
  KOMADAI_CHECK(state_.ply() == 0 && state_.LastEntry().empty());
  CheckPosition(state_.position());
  CheckVerdict();
}

void GameModel::CheckUnmoved() const {
  CheckSame(state_.position(), past_.back().position);
  KOMADAI_CHECK(state_.history() == past_.back().history);
  KOMADAI_CHECK(state_.ply() == ply());
}

void GameModel::Play(Move move) {
  const Moment before = past_.back();
  const Verdict verdict = state_.verdict();
  const Side mover = before.position.side_to_move();
  const Status played = state_.Play(move);
  CheckTyped(played);
  if (verdict.over()) {
    KOMADAI_CHECK(!played && played.error().Is(rules::kGameOver));
    KOMADAI_CHECK(state_.verdict() == verdict);
    return CheckUnmoved();
  }
  if (const auto illegal = before.position.WhyIllegal(move)) {
    KOMADAI_CHECK(!Listed(before.position, move));
    KOMADAI_CHECK(!played && played.error().Is(ReasonOf(*illegal)));
    const bool loses = state_.ruleset().illegal_move_loses;
    KOMADAI_CHECK(state_.verdict() == (loses ? LossOf(mover, Ending::kIllegalMove) : verdict));
    return CheckUnmoved();
  }
  KOMADAI_CHECK(Listed(before.position, move));
  KOMADAI_CHECK(played.has_value());
  CheckPlayed(before, move);
  past_.push_back({state_.position(), state_.history(), state_.verdict(), move});
  CheckPosition(state_.position());
  CheckVerdict();
}

void GameModel::CheckPlayed(const Moment& before, Move move) const {
  Position after = before.position;
  const rules::Kind captured = after.PlayUnchecked(move);
  CheckSame(after, state_.position());
  KOMADAI_CHECK(captured == before.position.at(move.to).kind);
  KOMADAI_CHECK(after.side_to_move() == rules::Opponent(before.position.side_to_move()));

  Position back = after;
  KOMADAI_CHECK(back.game().Undo(back.state(), move, captured));
  KOMADAI_CHECK(back == before.position && back.key() == before.position.key());
  MoveList again;
  back.LegalMoves(again);
  MoveList first;
  before.position.LegalMoves(first);
  KOMADAI_CHECK(std::equal(again.begin(), again.end(), first.begin(), first.end()));

  KOMADAI_CHECK(!state_.LastEntry().empty());
  KOMADAI_CHECK(state_.history() == before.history + std::string(state_.LastEntry()));
}

// What ends the game at this position if nothing else did before.
Ending GameModel::ExpectedLimit() const {
  const rules::Ruleset& ruleset = state_.ruleset();
  const Position& position = state_.position();
  if (ruleset.quiet_ply_limit > 0 && position.quiet_plies() >= ruleset.quiet_ply_limit) {
    return Ending::kNoCaptureDraw;
  }
  const bool bare = position.game().InsufficientMaterial(position.state());
  if (ruleset.insufficient_material_draws && bare) return Ending::kInsufficientMaterial;
  if (ruleset.ply_limit > 0 && ply() >= ruleset.ply_limit) return Ending::kPlyLimitDraw;
  return Ending::kOngoing;
}

void GameModel::CheckVerdict() const {
  const Position& position = state_.position();
  const Verdict verdict = state_.verdict();
  std::vector<int> occurrences;
  for (int i = 0; i <= ply(); ++i) {
    if (position_at(i) == position) occurrences.push_back(i);
  }
  const rules::RepetitionInfo info = state_.Repetition();
  KOMADAI_CHECK(info.occurrences == static_cast<int>(occurrences.size()));
  KOMADAI_CHECK(info.limit == state_.ruleset().repetition_count);

  if (!position.HasLegalMove()) {
    const Ending ending = position.InCheck() ? Ending::kCheckmate : Ending::kNoLegalMove;
    KOMADAI_CHECK(verdict == LossOf(position.side_to_move(), ending));
  } else if (info.limit > 0 && info.occurrences >= info.limit) {
    KOMADAI_CHECK(info.if_repeated == verdict);
    CheckRepetition(occurrences);
  } else if (verdict.ending == Ending::kPlyLimitPoints) {
    KOMADAI_CHECK(state_.ruleset().ply_limit_counts_points);
    KOMADAI_CHECK(ExpectedLimit() == Ending::kPlyLimitDraw);
  } else {
    KOMADAI_CHECK((verdict == Verdict{ExpectedLimit(), std::nullopt}));
  }
}

// Who checked with every move since the first occurrence, seen from the positions themselves. Who
// chased is the game's secret: where that decides, only what is possible is checked.
void GameModel::CheckRepetition(const std::vector<int>& occurrences) const {
  const rules::Ruleset& ruleset = state_.ruleset();
  std::array<bool, 2> checked = {true, true};
  for (int i = occurrences.front() + 1; i <= ply(); ++i) {
    const Side mover = rules::Opponent(position_at(i).side_to_move());
    if (!position_at(i).InCheck()) checked[static_cast<std::size_t>(mover)] = false;
  }
  if (!ruleset.perpetual_check_loses) checked = {false, false};

  const Verdict verdict = state_.verdict();
  if (checked[0] != checked[1]) {
    const Side checker = checked[0] ? Side::kFirst : Side::kSecond;
    KOMADAI_CHECK(verdict == LossOf(checker, Ending::kPerpetualCheck));
    return;
  }
  const bool first_loses = ruleset.plain_repetition == rules::PlainRepetition::kFirstLoses;
  const Verdict plain = first_loses && !checked[0] ? LossOf(Side::kFirst, Ending::kRepetitionLoss)
                                                   : Verdict{Ending::kRepetitionDraw, std::nullopt};
  const bool chased = ruleset.perpetual_chase_loses && !checked[0] &&
                      verdict.ending == Ending::kPerpetualChase && verdict.winner.has_value();
  // Both chasing is no plain repetition, but drawn.
  const bool both = ruleset.perpetual_chase_loses && verdict.ending == Ending::kRepetitionDraw;
  KOMADAI_CHECK(verdict == plain || chased || both);
}

void GameModel::TakeBack(int plies) {
  const Verdict verdict = state_.verdict();
  const Status taken = state_.TakeBack(plies);
  CheckTyped(taken);
  if (plies < 0 || plies > ply()) {
    KOMADAI_CHECK(!taken && taken.error().Is(rules::kNoSuchPly));
    KOMADAI_CHECK(state_.verdict() == verdict);
    return CheckUnmoved();
  }
  KOMADAI_CHECK(taken.has_value());
  past_.resize(past_.size() - static_cast<std::size_t>(plies), past_.front());
  CheckUnmoved();
  KOMADAI_CHECK(state_.verdict() == past_.back().verdict);
  CheckPosition(state_.position());
}

void GameModel::Resume() {
  const auto resumed = GameState::Resume(state_.ruleset(), state_.position(), state_.history());
  KOMADAI_CHECK(resumed.has_value());
  state_ = *resumed;
  CheckUnmoved();
  KOMADAI_CHECK(state_.verdict() == past_.back().verdict);
}

void GameModel::Declare(ImpasseAsk ask, Side by) {
  const Verdict verdict = state_.verdict();
  const rules::ImpasseReport report = state_.Impasse(ask, by);
  const Status declared = state_.DeclareImpasse(ask, by);
  CheckTyped(declared);
  CheckUnmoved();
  if (verdict.over()) {
    KOMADAI_CHECK(!declared && declared.error().Is(rules::kGameOver));
    KOMADAI_CHECK(state_.verdict() == verdict);
    return;
  }
  KOMADAI_CHECK(declared.has_value() == report.accepted());
  KOMADAI_CHECK(state_.verdict() == (report.accepted() ? report.verdict : verdict));
  KOMADAI_CHECK(report.accepted() || !report.failures.empty());
}

void GameModel::LookBack(int wanted) const {
  const auto move = state_.MoveAt(wanted);
  if (wanted < 0 || wanted >= ply()) {
    KOMADAI_CHECK(!move && move.error().Is(rules::kNoSuchPly));
    return;
  }
  KOMADAI_CHECK(move && *move == past_[static_cast<std::size_t>(wanted) + 1].move);
}

void CheckHostileState(GameState state, int plies_back) {
  (void)state.Repetition();
  for (const ImpasseAsk ask : {ImpasseAsk::kDeclare, ImpasseAsk::kAgree}) {
    for (const Side by : {Side::kFirst, Side::kSecond}) (void)state.Impasse(ask, by);
  }
  for (int ply = -1; ply <= state.ply(); ++ply) {
    const auto move = state.MoveAt(ply);
    if (!move) CheckRefusal(move.error());
  }
  MoveList moves;
  state.position().LegalMoves(moves);
  if (!moves.empty()) {
    GameState played = state;
    const Status done = played.Play(moves[moves.size() / 2]);
    CheckTyped(done);
    const bool recorded = played.ply() == state.ply() + 1;
    KOMADAI_CHECK(recorded == done.has_value());
    CheckPosition(played.position());
  }
  const int ply = state.ply();
  const Status taken = state.TakeBack(plies_back);
  CheckTyped(taken);
  KOMADAI_CHECK(state.ply() == (taken ? ply - plies_back : ply));
  CheckPosition(state.position());
  (void)state.Repetition();
}

}  // namespace komadai::fuzz
