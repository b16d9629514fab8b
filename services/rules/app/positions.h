// Positions and moves as text: reading, legal moves, notations.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;

Result<pb::ListLegalMovesResponse> ListLegalMoves(const pb::ListLegalMovesRequest& request);
Result<pb::ConvertMovesResponse> ConvertMoves(const pb::ConvertMovesRequest& request);
Result<pb::ParsePositionResponse> ParsePosition(const pb::ParsePositionRequest& request);

}  // namespace komadai::rules_service
