#include "services/game/ports/remote_rules.h"

#include <utility>

#include "libs/convert/variant.h"
#include "libs/rpc/component.h"
#include "libs/rpc/status_proto.h"
#include "services/game/convert.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

namespace rules_pb = ::komadai::rules::v1;

constexpr rpc::CallOptions kRulesCall{.timeout = Millis(1000), .idempotent = true};
// The longest game has 34 KB of history: a full batch of those is below the largest request, and
// a full queue below 150 MB. A game in its first hundred plies has a few kilobytes.
constexpr rpc::BatchLimits kMoveBatches{.max_batch = 24, .max_in_flight = 2, .max_waiting = 4096};

BoardState BoardFrom(const std::string& position, const rules_pb::GameState& state) {
  return {position, convert::SideFromProto(state.side_to_move()).value_or(Side::kFirst),
          state.check(), state.occurrences()};
}

AppliedMove AppliedOf(rules_pb::ApplyMoveResponse& response) {
  AppliedMove applied;
  applied.move = std::move(*response.mutable_move());
  applied.board = BoardFrom(response.position(), response.state());
  applied.history_entry = std::move(*response.mutable_history_entry());
  if (response.state().has_result()) {
    applied.result = ResultFromProto(response.state().result());
    applied.illegal = applied.result->ending == Ending::kIllegalMove;
  }
  return applied;
}

}  // namespace

RemoteRules::RemoteRules(rpc::BindContext& context)
    : time_(context.time),
      rules_(context, "rules"),
      moves_(kMoveBatches, [this](std::vector<WaitingMove> moves, rpc::Deadline latest) {
        return ApplyAll(std::move(moves), latest);
      }) {}

Task<Result<Setup>> RemoteRules::Normalise(rpc::Call call, Setup wish) {
  rules_pb::JudgeGameRequest request;
  *request.mutable_setup() = ToProto(wish);
  Result<rules_pb::JudgeGameResponse> judged =
      co_await rules_.Call<rules_pb::JudgeGameResponse>(call, request, kRulesCall);
  if (!judged) co_return std::move(judged).error();
  if (judged->state().has_result()) {
    co_return Error(kInvalidGame, "the game would be over before the first move");
  }
  rules_pb::GetStartPositionRequest start;
  *start.mutable_setup() = request.setup();
  Result<rules_pb::GetStartPositionResponse> started =
      co_await rules_.Call<rules_pb::GetStartPositionResponse>(call, start, kRulesCall);
  if (!started) co_return std::move(started).error();
  co_return SetupFromProto(started->setup());
}

Task<Result<AppliedMove>> RemoteRules::Apply(rpc::Call call, Setup setup, std::string position,
                                             std::string history, std::string move) {
  rules_pb::ApplyMoveRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.mutable_memory()->set_position(std::move(position));
  request.mutable_memory()->set_history(std::move(history));
  request.set_move(std::move(move));
  WaitingMove waiting{std::move(request), call.request_id()};
  Result<AppliedMove> applied = co_await moves_.Do(std::move(waiting), call.deadline());
  co_return applied;
}

Task<RemoteRules::Moves::Outcomes> RemoteRules::ApplyAll(std::vector<WaitingMove> moves,
                                                         rpc::Deadline latest) {
  const rpc::Call call = rpc::Call::Background(moves.front().request_id, time_, latest);
  rules_pb::ApplyMovesRequest request;
  request.mutable_moves()->Reserve(static_cast<int>(moves.size()));
  for (WaitingMove& move : moves) *request.add_moves() = std::move(move.request);
  Result<rules_pb::ApplyMovesResponse> response =
      co_await rules_.Call<rules_pb::ApplyMovesResponse>(call, std::move(request), kRulesCall);
  if (!response) co_return std::move(response).error();
  if (response->moves_size() != static_cast<int>(moves.size())) {
    co_return Error(kInternal, "the rules service answered another number of moves");
  }
  std::vector<Result<AppliedMove>> outcomes;
  outcomes.reserve(moves.size());
  for (rules_pb::AppliedMove& outcome : *response->mutable_moves()) {
    if (outcome.has_applied()) {
      outcomes.emplace_back(AppliedOf(*outcome.mutable_applied()));
    } else {
      outcomes.emplace_back(rpc::FromStatusProto(outcome.error()));
    }
  }
  co_return outcomes;
}

Task<Result<BoardState>> RemoteRules::Replay(rpc::Call call, Setup setup,
                                             std::vector<std::string> moves) {
  rules_pb::JudgeGameRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.mutable_moves()->Assign(moves.begin(), moves.end());
  Result<rules_pb::JudgeGameResponse> response =
      co_await rules_.Call<rules_pb::JudgeGameResponse>(call, std::move(request), kRulesCall);
  if (!response) co_return std::move(response).error();
  co_return BoardFrom(response->position(), response->state());
}

Task<Result<ImpasseReport>> RemoteRules::Impasse(rpc::Call call, Setup setup,
                                                 std::string position) {
  rules_pb::ScoreImpasseRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.set_position(std::move(position));
  Result<rules_pb::ScoreImpasseResponse> response =
      co_await rules_.Call<rules_pb::ScoreImpasseResponse>(call, std::move(request), kRulesCall);
  if (!response) co_return std::move(response).error();
  co_return ImpasseFromProto(response->report());
}

Task<Result<ImpasseReport>> RemoteRules::AgreedImpasse(rpc::Call call, Setup setup,
                                                       std::vector<std::string> moves) {
  rules_pb::JudgeGameRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.mutable_moves()->Assign(moves.begin(), moves.end());
  request.set_claim(rules_pb::CLAIM_AGREE_IMPASSE);
  Result<rules_pb::JudgeGameResponse> response =
      co_await rules_.Call<rules_pb::JudgeGameResponse>(call, std::move(request), kRulesCall);
  if (!response) co_return std::move(response).error();
  co_return ImpasseFromProto(response->impasse());
}

}  // namespace komadai::game
