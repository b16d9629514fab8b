#include "services/game/ports/remote_rules.h"

#include <utility>

#include "libs/convert/variant.h"
#include "services/game/convert.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

namespace rules_pb = ::komadai::rules::v1;
using Api = rpc::Client<rules_pb::RulesService>::Api;

constexpr rpc::CallOptions kQuick{.timeout = Millis(1000), .idempotent = true};

BoardState BoardOf(const std::string& position, const rules_pb::GameState& state) {
  return {position, convert::SideFromProto(state.side_to_move()).value_or(Side::kFirst),
          state.check(), state.occurrences()};
}

}  // namespace

Task<Result<Setup>> RemoteRules::Normalise(rpc::Call call, Setup wish) {
  rules_pb::JudgeGameRequest request;
  *request.mutable_setup() = ToProto(wish);
  Result<rules_pb::JudgeGameResponse> judged =
      co_await rules_.Call(call, &Api::JudgeGame, request, kQuick);
  if (!judged) co_return std::move(judged).error();
  if (judged->state().has_result()) {
    co_return Error(kInvalidGame, "the game would be over before the first move");
  }
  rules_pb::GetStartPositionRequest start;
  *start.mutable_setup() = request.setup();
  Result<rules_pb::GetStartPositionResponse> started =
      co_await rules_.Call(call, &Api::GetStartPosition, start, kQuick);
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
  Result<rules_pb::ApplyMoveResponse> response =
      co_await rules_.Call(call, &Api::ApplyMove, std::move(request), kQuick);
  if (!response) co_return std::move(response).error();
  AppliedMove applied;
  applied.move = response->move();
  applied.board = BoardOf(response->position(), response->state());
  applied.history_entry = response->history_entry();
  if (response->state().has_result()) {
    applied.result = ResultFromProto(response->state().result());
    applied.illegal = applied.result->ending == Ending::kIllegalMove;
  }
  co_return applied;
}

Task<Result<BoardState>> RemoteRules::Replay(rpc::Call call, Setup setup,
                                             std::vector<std::string> moves) {
  rules_pb::JudgeGameRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.mutable_moves()->Assign(moves.begin(), moves.end());
  Result<rules_pb::JudgeGameResponse> response =
      co_await rules_.Call(call, &Api::JudgeGame, std::move(request), kQuick);
  if (!response) co_return std::move(response).error();
  co_return BoardOf(response->position(), response->state());
}

Task<Result<ImpasseReport>> RemoteRules::Impasse(rpc::Call call, Setup setup,
                                                 std::string position) {
  rules_pb::ScoreImpasseRequest request;
  *request.mutable_setup() = ToProto(setup);
  request.set_position(std::move(position));
  Result<rules_pb::ScoreImpasseResponse> response =
      co_await rules_.Call(call, &Api::ScoreImpasse, std::move(request), kQuick);
  if (!response) co_return std::move(response).error();
  co_return ImpasseFromProto(response->report());
}

}  // namespace komadai::game
