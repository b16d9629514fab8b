#include "services/game/ports/linked_rules.h"

#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/result.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rules/game_state.h"
#include "services/game/convert.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

BoardState BoardOf(const rules::GameState& state) {
  const rules::Position& position = state.position();
  return {notation::FormatPosition(position), position.side_to_move(), position.InCheck(),
          state.Repetition().occurrences};
}

GameResult ResultOf(const rules::GameState& state) {
  return ResultFromProto(convert::ToProto(state.verdict(), state.ruleset(), state.ply()));
}

Result<rules::GameState> StateOf(const Setup& setup, const std::string& position,
                                 std::string history) {
  Result<rules::Position> board = notation::ParsePosition(setup.variant, position);
  if (!board) return std::move(board).error();
  if (history.empty()) return rules::GameState::Start(setup.ruleset, *board);
  return rules::GameState::Resume(setup.ruleset, *board, std::move(history));
}

// Where `setup` starts.
Result<rules::GameState> StartOf(const Setup& setup) {
  return StateOf(setup, setup.start_position, "");
}

Result<AppliedMove> ApplyNow(const Setup& setup, const std::string& position, std::string history,
                             const std::string& text) {
  const std::size_t known = history.size();
  Result<rules::GameState> state = StateOf(setup, position, std::move(history));
  if (!state) return std::move(state).error();
  Result<rules::Move> move = notation::ParsePlainMove(setup.variant, text);
  if (!move) return std::move(move).error();
  const Status played = state->Play(*move);
  AppliedMove applied;
  if (!played) {
    if (state->verdict().ending != rules::Ending::kIllegalMove) return played.error();
    applied.illegal = true;
    applied.result = ResultOf(*state);
    return applied;
  }
  applied.move = notation::FormatPlainMove(setup.variant, *move);
  applied.board = BoardOf(*state);
  applied.history_entry = state->history().substr(known);
  if (state->verdict().over()) applied.result = ResultOf(*state);
  return applied;
}

Result<Setup> NormaliseNow(const Setup& wish) {
  Result<Setup> setup = SetupFromProto(ToProto(wish));
  if (!setup) return setup;
  Result<rules::GameState> state = StartOf(*setup);
  if (!state) return std::move(state).error();
  if (state->verdict().over()) {
    return Error{kInvalidGame,
                 "the game would be over before the first move",
                 {{"ending", std::string(rules::NameOf(state->verdict().ending))}}};
  }
  return setup;
}

Result<rules::GameState> StateAfter(const Setup& setup, const std::vector<std::string>& moves) {
  Result<rules::GameState> state = StartOf(setup);
  if (!state) return std::move(state).error();
  for (const std::string& text : moves) {
    Result<rules::Move> move = notation::ParsePlainMove(setup.variant, text);
    if (!move) return std::move(move).error();
    if (Status played = state->Play(*move); !played) return std::move(played).error();
  }
  return state;
}

Result<BoardState> ReplayNow(const Setup& setup, const std::vector<std::string>& moves) {
  Result<rules::GameState> state = StateAfter(setup, moves);
  if (!state) return std::move(state).error();
  return BoardOf(*state);
}

Result<ImpasseReport> AgreedImpasseNow(const Setup& setup, const std::vector<std::string>& moves) {
  Result<rules::GameState> state = StateAfter(setup, moves);
  if (!state) return std::move(state).error();
  const rules::ImpasseReport report =
      state->Impasse(rules::ImpasseAsk::kAgree, state->position().side_to_move());
  return ImpasseFromProto(convert::ToProto(report, setup.ruleset, state->ply()));
}

Result<ImpasseReport> ImpasseNow(const Setup& setup, const std::string& position) {
  Result<rules::Position> start = notation::ParsePosition(setup.variant, setup.start_position);
  if (!start) return std::move(start).error();
  Result<rules::Position> board = notation::ParsePosition(setup.variant, position);
  if (!board) return std::move(board).error();
  const rules::ImpasseReport report =
      rules::JudgeImpasse(*board, setup.ruleset, rules::ImpasseAsk::kDeclare, board->side_to_move(),
                          rules::HandicapCredit(*start));
  return ImpasseFromProto(convert::ToProto(report, setup.ruleset, 0));
}

}  // namespace

Task<Result<Setup>> LinkedRules::Normalise(rpc::Call, Setup wish) { co_return NormaliseNow(wish); }

Task<Result<AppliedMove>> LinkedRules::Apply(rpc::Call, Setup setup, std::string position,
                                             std::string history, std::string move) {
  co_return ApplyNow(setup, position, std::move(history), move);
}

Task<Result<BoardState>> LinkedRules::Replay(rpc::Call, Setup setup,
                                             std::vector<std::string> moves) {
  co_return ReplayNow(setup, moves);
}

Task<Result<ImpasseReport>> LinkedRules::Impasse(rpc::Call, Setup setup, std::string position) {
  co_return ImpasseNow(setup, position);
}

Task<Result<ImpasseReport>> LinkedRules::AgreedImpasse(rpc::Call, Setup setup,
                                                       std::vector<std::string> moves) {
  co_return AgreedImpasseNow(setup, moves);
}

}  // namespace komadai::game
