#include "services/game/app/impasse.h"

#include <utility>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

std::string Join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  return all;
}

Error NotAllowed(const Game& game, const ImpasseReport& report) {
  return Error{kImpasseNotAllowed,
               "the conditions of an impasse are not met",
               {{"game", game.id}, {"failed", Join(report.failed_conditions)}}};
}

bool TakesBoth(const Game& game) {
  return game.setup.ruleset.impasse == rules::ImpasseRule::kPoints24ByAgreement;
}

std::vector<std::string> MovesOf(const Game& game) {
  std::vector<std::string> moves;
  moves.reserve(game.moves.size());
  for (const PlayedMove& move : game.moves) moves.push_back(move.move);
  return moves;
}

}  // namespace

Task<Result<ImpasseOutcome>> Impasse::Declare(PlayerAction action, int expected_ply, bool confirm) {
  Result<StoredGame> stored = co_await store_.Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  Result<Side> side = SideOf(game, action.player_id);
  if (!side) co_return std::move(side).error();
  if (TakesBoth(game)) {
    Result<ImpasseOutcome> counted =
        co_await CountByAgreement(action, *stored, *side, expected_ply, confirm);
    co_return counted;
  }
  const bool repeat = confirm && IsRepeatedDeclaration(game, *side, expected_ply);
  if (!repeat) {
    // A declaration is made on one's own turn, like a move.
    Result<MoveDecision> turn = DecideMove(game, *side, expected_ply, "");
    if (!turn) co_return std::move(turn).error();
  }
  Result<ImpasseReport> report =
      co_await rules_.Impasse(action.call, game.setup, game.board.position);
  if (!report) co_return std::move(report).error();
  ImpasseOutcome outcome{std::move(report).value(), std::nullopt, false};
  if (repeat) outcome.result = game.result;
  if (!confirm || repeat) co_return outcome;
  if (!outcome.report.may_declare || !outcome.report.result_if_declared) {
    co_return NotAllowed(game, outcome.report);
  }
  GameResult result = *outcome.report.result_if_declared;
  result.plies = game.ply();
  const Committer::Decide decide = [expected_ply, result](const Game& now,
                                                          Side by) -> Result<Events> {
    if (IsRepeatedDeclaration(now, by, expected_ply)) return Events{};
    Result<MoveDecision> allowed = DecideMove(now, by, expected_ply, "");
    if (!allowed) return std::move(allowed).error();
    return Events{EndOf(now, result.outcome, result.ending)};
  };
  Result<StoredGame> ended = co_await committer_.Act(action, decide);
  if (!ended) co_return std::move(ended).error();
  outcome.result = ended->game->result;
  co_return outcome;
}

Task<Result<ImpasseOutcome>> Impasse::CountByAgreement(PlayerAction action, StoredGame stored,
                                                       Side side, int expected_ply, bool confirm) {
  const Game& game = *stored.game;
  const bool repeat = confirm && IsRepeatedDeclaration(game, side, expected_ply);
  if (!repeat) {
    Status running = CheckRunningAt(game, expected_ply);
    if (!running) co_return std::move(running).error();
  }
  Result<ImpasseReport> report =
      co_await rules_.AgreedImpasse(action.call, game.setup, MovesOf(game));
  if (!report) co_return std::move(report).error();
  ImpasseOutcome outcome{std::move(report).value(), std::nullopt, false};
  if (repeat) outcome.result = game.result;
  if (!confirm || repeat) co_return outcome;
  if (!outcome.report.may_declare || !outcome.report.result_if_declared) {
    co_return NotAllowed(game, outcome.report);
  }
  const GameResult result = *outcome.report.result_if_declared;
  const Committer::Decide decide = [expected_ply, result](const Game& now,
                                                          Side by) -> Result<Events> {
    if (IsRepeatedDeclaration(now, by, expected_ply)) return Events{};
    return DecideAgreedImpasse(now, by, expected_ply, result);
  };
  Result<StoredGame> decided = co_await committer_.Act(action, decide);
  if (!decided) co_return std::move(decided).error();
  outcome.result = decided->game->result;
  outcome.proposed = !outcome.result;
  co_return outcome;
}

Task<Result<bool>> Impasse::DeclareForComputer(rpc::Call call, StoredGame stored) {
  const Game& game = *stored.game;
  const rules::ImpasseRule rule = game.setup.ruleset.impasse;
  if (rule != rules::ImpasseRule::kPoints24 && rule != rules::ImpasseRule::kPoints27) {
    co_return false;
  }
  Result<ImpasseReport> report = co_await rules_.Impasse(call, game.setup, game.board.position);
  if (!report) co_return std::move(report).error();
  if (!report->may_declare || !report->result_if_declared) co_return false;
  const GameResult& result = *report->result_if_declared;
  // Under the 27-point rule a declaration in vain loses: it is made only to win.
  const bool good = result.outcome == WinFor(game.board.to_move) ||
                    (rule == rules::ImpasseRule::kPoints24 && result.outcome == Outcome::kDraw);
  if (!good) co_return false;
  Events events;
  events.emplace_back(EndOf(game, result.outcome, result.ending));
  GameAttempt ended =
      co_await committer_.Commit(std::move(stored), std::move(events), call.received_at());
  if (ended.has_error()) co_return std::move(ended).error();
  co_return true;
}

}  // namespace komadai::game
