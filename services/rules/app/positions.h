// Positions and moves as text: reading, legal moves, notations.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace v1 = ::komadai::rules::v1;

Result<v1::ListLegalMovesResponse> ListLegalMoves(const v1::ListLegalMovesRequest& request);
Result<v1::ConvertMovesResponse> ConvertMoves(const v1::ConvertMovesRequest& request);
Result<v1::ParsePositionResponse> ParsePosition(const v1::ParsePositionRequest& request);

}  // namespace komadai::rules_service
