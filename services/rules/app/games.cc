#include "services/rules/app/games.h"

#include <string>
#include <utility>

#include "libs/convert/game_setup.h"
#include "libs/convert/result.h"
#include "libs/convert/variant.h"
#include "libs/notation/plain_move.h"
#include "libs/notation/position_text.h"
#include "libs/rpc/status_proto.h"
#include "libs/rules/game_state.h"
#include "libs/rules/impasse.h"
#include "services/rules/convert.h"

namespace komadai::rules_service {
namespace {

using rules::GameState;
using rules::Move;
using rules::Position;

constexpr int kMaxBatch = 256;

std::string MoveField(int index) { return "moves[" + std::to_string(index) + "]"; }

template <typename Moves>
Status CheckLength(const Moves& moves) {
  if (moves.size() <= kMaxMoves) return {};
  return Error(kTooManyMoves, "a game has at most " + std::to_string(kMaxMoves) + " moves",
               {{"limit", std::to_string(kMaxMoves)}});
}

// Plays `moves` until they are all played or the game is over; an illegal move is an error unless
// the ruleset makes it a loss.
template <typename Moves>
Status Replay(const Moves& moves, GameState& state) {
  if (Status length = CheckLength(moves); !length) return InField(length.error(), "moves");
  for (int i = 0; i < moves.size() && !state.verdict().over(); ++i) {
    const Result<Move> move = notation::ParsePlainMove(state.position().variant(), moves[i]);
    if (!move) return InField(move.error(), MoveField(i));
    const Status played = state.Play(*move);
    if (!played && !state.verdict().over()) return InField(played.error(), MoveField(i));
  }
  return {};
}

// The state a client remembers: no replay, and the start is not even looked at.
Result<GameState> Recall(const common_pb::GameSetup& setup, const pb::GameMemory& memory) {
  const Result<rules::Variant> variant = convert::VariantFromProto(setup.variant());
  if (!variant) return InField(variant.error(), "setup");
  Result<rules::Ruleset> ruleset = convert::RulesetFromProto(*variant, setup.ruleset());
  if (!ruleset) return InField(ruleset.error(), "setup");
  const Result<Position> position = notation::ParsePosition(*variant, memory.position());
  if (!position) return InField(position.error(), "memory.position");
  Result<GameState> state = GameState::Resume(*std::move(ruleset), *position, memory.history());
  if (!state) return InField(state.error(), "memory.history");
  return state;
}

Result<GameState> StateSoFar(const pb::ApplyMoveRequest& request) {
  const pb::GameMemory& memory = request.memory();
  if (!memory.history().empty()) return Recall(request.setup(), memory);
  const Result<convert::GameStart> start = convert::StartFromProto(request.setup());
  if (!start) return InField(start.error(), "setup");
  if (!memory.position().empty()) {
    const Result<Position> position = notation::ParsePosition(start->variant(), memory.position());
    if (!position) return InField(position.error(), "memory.position");
    if (!(*position == start->position)) {
      return InField(Error(rules::kBadHistory, "a position after the start needs its history"),
                     "memory.history");
    }
  }
  Result<GameState> state = GameState::Start(start->ruleset, start->position);
  if (!state) return state;
  if (Status replayed = Replay(request.moves().moves(), *state); !replayed) {
    return replayed.error();
  }
  return state;
}

}  // namespace

Result<pb::ApplyMoveResponse> ApplyMove(const pb::ApplyMoveRequest& request) {
  Result<GameState> state = StateSoFar(request);
  if (!state) return state.error();
  const rules::Variant variant = state->position().variant();
  const Result<Move> move = notation::ParsePlainMove(variant, request.move());
  if (!move) return InField(move.error(), "move");

  const std::size_t known = request.memory().history().size();
  const Status played = state->Play(*move);
  const bool lost_by_it = state->verdict().ending == rules::Ending::kIllegalMove;
  if (!played && !lost_by_it) return InField(played.error(), "move");

  pb::ApplyMoveResponse response;
  response.set_move(notation::FormatPlainMove(variant, *move));
  response.set_position(notation::FormatPosition(state->position()));
  // All that the client does not have yet: after the first move also the header of the history.
  if (played) response.set_history_entry(state->history().substr(known));
  *response.mutable_state() = StateToProto(*state);
  return response;
}

Result<pb::ApplyMovesResponse> ApplyMoves(const pb::ApplyMovesRequest& request) {
  if (request.moves_size() > kMaxBatch) {
    return InField(Error(kTooManyMoves, "at most " + std::to_string(kMaxBatch) + " at once",
                         {{"limit", std::to_string(kMaxBatch)}}),
                   "moves");
  }
  pb::ApplyMovesResponse response;
  for (const pb::ApplyMoveRequest& move : request.moves()) {
    pb::AppliedMove& outcome = *response.add_moves();
    Result<pb::ApplyMoveResponse> applied = ApplyMove(move);
    if (applied) {
      *outcome.mutable_applied() = *std::move(applied);
    } else {
      *outcome.mutable_error() = rpc::ToStatusProto(applied.error());
    }
  }
  return response;
}

Result<pb::JudgeGameResponse> JudgeGame(const pb::JudgeGameRequest& request) {
  const Result<convert::GameStart> start = convert::StartFromProto(request.setup());
  if (!start) return InField(start.error(), "setup");
  Result<GameState> state = GameState::Start(start->ruleset, start->position);
  if (!state) return state.error();
  if (Status replayed = Replay(request.moves(), *state); !replayed) return replayed.error();

  pb::JudgeGameResponse response;
  if (request.claim() != pb::CLAIM_UNSPECIFIED) {
    const rules::ImpasseAsk ask = request.claim() == pb::CLAIM_AGREE_IMPASSE
                                      ? rules::ImpasseAsk::kAgree
                                      : rules::ImpasseAsk::kDeclare;
    const rules::Side by = state->position().side_to_move();
    *response.mutable_impasse() =
        convert::ToProto(state->Impasse(ask, by), start->ruleset, state->ply());
    const Status declared = state->DeclareImpasse(ask, by);
    // A refused declaration changes nothing: the report says why.
    if (!declared && !declared.error().Is(rules::kImpasseRefused)) return declared.error();
  }
  *response.mutable_state() = StateToProto(*state);
  response.set_position(notation::FormatPosition(state->position()));
  return response;
}

Result<pb::ScoreImpasseResponse> ScoreImpasse(const pb::ScoreImpasseRequest& request) {
  const Result<convert::GameStart> start = convert::StartFromProto(request.setup());
  if (!start) return InField(start.error(), "setup");
  Position position = start->position;
  if (!request.position().empty()) {
    Result<Position> asked = notation::ParsePosition(start->variant(), request.position());
    if (!asked) return InField(asked.error(), "position");
    position = *asked;
  }
  std::array<int, 2> credit = {0, 0};
  if (start->ruleset.credit_handicap) credit = rules::HandicapCredit(start->position);
  const rules::ImpasseReport report = rules::JudgeImpasse(
      position, start->ruleset, rules::ImpasseAsk::kDeclare, position.side_to_move(), credit);
  pb::ScoreImpasseResponse response;
  *response.mutable_report() = convert::ToProto(report, start->ruleset, position.move_number() - 1);
  return response;
}

}  // namespace komadai::rules_service
