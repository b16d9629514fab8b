// Judging games: one move in a game in progress, a whole game, an impasse.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace v1 = ::komadai::rules::v1;

// With a GameMemory the cost does not depend on replaying the game.
Result<v1::ApplyMoveResponse> ApplyMove(const v1::ApplyMoveRequest& request);
Result<v1::ApplyMovesResponse> ApplyMoves(const v1::ApplyMovesRequest& request);
Result<v1::JudgeGameResponse> JudgeGame(const v1::JudgeGameRequest& request);
Result<v1::ScoreImpasseResponse> ScoreImpasse(const v1::ScoreImpasseRequest& request);

}  // namespace komadai::rules_service
