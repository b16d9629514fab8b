// Judging games: one move in a game in progress, a whole game, an impasse.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;

// With a GameMemory the cost does not depend on replaying the game.
Result<pb::ApplyMoveResponse> ApplyMove(const pb::ApplyMoveRequest& request);
Result<pb::ApplyMovesResponse> ApplyMoves(const pb::ApplyMovesRequest& request);
Result<pb::JudgeGameResponse> JudgeGame(const pb::JudgeGameRequest& request);
Result<pb::ScoreImpasseResponse> ScoreImpasse(const pb::ScoreImpasseRequest& request);

}  // namespace komadai::rules_service
