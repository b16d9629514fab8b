#include "libs/rules/game_state.h"

#include <algorithm>
#include <array>

#include "libs/rules/game.h"
#include "libs/rules/history.h"
#include "libs/rules/repetition.h"

namespace komadai::rules {
namespace {

// Highest counters of a start position: what the history holds, and far enough below what
// Position::From accepts that every position of the game can be told and read again.
constexpr int kMaxStartQuietPlies = 0xFFFF;
constexpr int kMaxStartMoveNumber = 900'000;

Error BadHistory() {
  return Error{kBadHistory, "the history bytes do not belong to this position and ruleset"};
}

bool CanRecord(int plies_before, const std::array<int, 2>& credit) {
  return plies_before >= 0 && plies_before <= GameState::kMaxPlies && credit[0] >= 0 &&
         credit[0] < 256 && credit[1] >= 0 && credit[1] < 256;
}

// At the ply limit: the 24-point count where both kings have entered, otherwise a draw.
Verdict JudgePlyLimit(const Position& position, const Ruleset& ruleset,
                      const std::array<int, 2>& credit) {
  if (!ruleset.ply_limit_counts_points) return {Ending::kPlyLimitDraw, std::nullopt};
  Ruleset counting = ruleset;
  counting.impasse = ImpasseRule::kPoints24ByAgreement;
  const ImpasseReport report =
      JudgeImpasse(position, counting, ImpasseAsk::kAgree, position.side_to_move(), credit);
  if (!report.accepted()) return {Ending::kPlyLimitDraw, std::nullopt};
  return {Ending::kPlyLimitPoints, report.verdict.winner};
}

}  // namespace

Result<GameState> GameState::Start(Ruleset ruleset, const Position& start, int plies_before) {
  if (ruleset.variant != start.variant()) {
    return Error{kWrongVariant, "the ruleset is for another game than the position"};
  }
  if (start.quiet_plies() > kMaxStartQuietPlies || start.move_number() > kMaxStartMoveNumber) {
    return Error{ReasonOf(SetupFault::kBadCounter), std::string(Explain(SetupFault::kBadCounter))};
  }
  HistoryHeader header;
  header.variant = start.variant();
  header.side_to_move = start.side_to_move();
  header.key = static_cast<std::uint32_t>(start.key());
  header.plies_before = plies_before;
  header.quiet_plies = start.quiet_plies();
  if (ruleset.credit_handicap) header.credit = HandicapCredit(start);
  if (!CanRecord(plies_before, header.credit)) {
    return Error{kNoSuchPly, "plies_before is out of range"};
  }
  GameState state(std::move(ruleset), start);
  state.history_ = EncodeHeader(header);
  const auto verdict = state.Judge();
  if (!verdict) return verdict.error();
  state.verdict_ = header.verdict = *verdict;
  state.history_ = EncodeHeader(header);
  return state;
}

Result<GameState> GameState::Resume(Ruleset ruleset, const Position& current,
                                    std::string_view history) {
  const HistoryView view(history);
  if (!view.Valid() || view.plies() > kMaxPlies) return BadHistory();
  const HistoryHeader header = view.header();
  const bool side_fits = (view.plies() % 2 == 0) == (header.side_to_move == current.side_to_move());
  if (header.variant != current.variant() || ruleset.variant != current.variant() || !side_fits ||
      view.KeyAfter(view.plies()) != static_cast<std::uint32_t>(current.key())) {
    return BadHistory();
  }
  GameState state(std::move(ruleset), current);
  state.verdict_ = view.last_verdict();
  state.history_.reserve(history.size() + kEntryBytes);  // a move usually follows
  state.history_ = history;
  return state;
}

int GameState::ply() const { return HistoryView(history_).plies(); }

Result<Verdict> GameState::Judge() const {
  const HistoryView history(history_);
  if (!position_.HasLegalMove()) {
    return Verdict{position_.InCheck() ? Ending::kCheckmate : Ending::kNoLegalMove,
                   Opponent(position_.side_to_move())};
  }
  if (ruleset_.repetition_count > 0) {
    const auto occurred = FindOccurrences(position_, history);
    if (!occurred) return BadHistory();
    if (occurred->count >= ruleset_.repetition_count) {
      const auto offences = FindOffences(position_, history, occurred->first_ply, ruleset_);
      if (!offences) return BadHistory();
      return JudgeRepetition(*offences, ruleset_);
    }
  }
  if (ruleset_.quiet_ply_limit > 0 && position_.quiet_plies() >= ruleset_.quiet_ply_limit) {
    return Verdict{Ending::kNoCaptureDraw, std::nullopt};
  }
  if (ruleset_.insufficient_material_draws &&
      position_.game().InsufficientMaterial(position_.state())) {
    return Verdict{Ending::kInsufficientMaterial, std::nullopt};
  }
  if (ruleset_.ply_limit > 0) {
    const HistoryHeader header = history.header();
    if (header.plies_before + history.plies() >= ruleset_.ply_limit) {
      return JudgePlyLimit(position_, ruleset_, header.credit);
    }
  }
  return Verdict{};
}

Status GameState::Play(Move move) {
  if (verdict_.over()) return Error{kGameOver, "the game is over"};
  if (const auto illegal = position_.WhyIllegal(move)) {
    if (ruleset_.illegal_move_loses) {
      verdict_ = {Ending::kIllegalMove, Opponent(position_.side_to_move())};
    }
    return Error{ReasonOf(*illegal), std::string(Explain(*illegal))};
  }
  if (ply() >= kMaxPlies) return Error{kNoSuchPly, "the game has too many moves"};
  const Position before = position_;
  const std::size_t length = history_.size();
  HistoryEntry entry;
  entry.move = move;
  entry.captured = position_.PlayUnchecked(move);
  entry.key = static_cast<std::uint32_t>(position_.key());
  entry.check = position_.InCheck();
  AppendEntry(history_, position_.variant(), entry);
  const auto verdict = Judge();
  if (!verdict) {
    position_ = before;
    history_.resize(length);
    return verdict.error();
  }
  verdict_ = *verdict;
  SetLastVerdict(history_, verdict_);
  return {};
}

Status GameState::TakeBack(int plies) {
  if (plies < 0 || plies > ply()) {
    return Error{kNoSuchPly, "fewer moves than that have been played"};
  }
  Position earlier = position_;
  const HistoryView history(history_);
  const int left = history.plies() - plies;
  for (int i = history.plies() - 1; i >= left; --i) {
    const HistoryEntry entry = history.entry(i);
    if (!earlier.game().Undo(earlier.state(), entry.move, entry.captured)) return BadHistory();
  }
  // Undoing trusts the moves but not their legality; what comes out must be a position again.
  if (!Position::From(earlier.ToSetup(), Kings::kOptional)) return BadHistory();
  earlier.quiet_plies_ = history.QuietPliesAfter(left);
  // The number comes from the caller's position and may be smaller than the history's length.
  earlier.move_number_ = std::max(1, earlier.move_number_ - plies);
  position_ = earlier;
  history_.resize(history_.size() - kEntryBytes * static_cast<std::size_t>(plies));
  verdict_ = HistoryView(history_).last_verdict();
  return {};
}

Result<Move> GameState::MoveAt(int ply_number) const {
  if (ply_number < 0 || ply_number >= ply()) return Error{kNoSuchPly, "the game has no such ply"};
  const Move move = HistoryView(history_).entry(ply_number).move;
  const Variant variant = position_.variant();
  if (!OnBoard(variant, move.to) || (!move.is_drop() && !OnBoard(variant, move.from))) {
    return BadHistory();
  }
  return move;
}

RepetitionInfo GameState::Repetition() const {
  RepetitionInfo info;
  info.limit = ruleset_.repetition_count;
  const HistoryView history(history_);
  const auto occurred = FindOccurrences(position_, history);
  if (!occurred) return info;
  info.occurrences = occurred->count;
  if (info.limit == 0 || info.occurrences < 2) return info;
  const auto offences = FindOffences(position_, history, occurred->first_ply, ruleset_);
  if (offences) info.if_repeated = JudgeRepetition(*offences, ruleset_);
  return info;
}

ImpasseReport GameState::Impasse(ImpasseAsk ask, Side by) const {
  return JudgeImpasse(position_, ruleset_, ask, by, HistoryView(history_).header().credit);
}

Status GameState::DeclareImpasse(ImpasseAsk ask, Side by) {
  if (verdict_.over()) return Error{kGameOver, "the game is over"};
  const ImpasseReport report = Impasse(ask, by);
  if (!report.accepted()) {
    std::string failures;
    for (const ImpasseFailure failure : report.failures) {
      if (!failures.empty()) failures += ',';
      failures += NameOf(failure);
    }
    return Error{
        kImpasseRefused, "impasse cannot be declared: " + failures, {{"failures", failures}}};
  }
  verdict_ = report.verdict;
  return {};
}

std::string_view GameState::LastEntry() const {
  if (ply() == 0) return {};
  return std::string_view(history_).substr(history_.size() - kEntryBytes);
}

}  // namespace komadai::rules
