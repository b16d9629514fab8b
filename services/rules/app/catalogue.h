// What can be played: variants, rulesets, handicaps and where games start.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;

Result<pb::ListVariantsResponse> ListVariants(const pb::ListVariantsRequest& request);
Result<pb::GetStartPositionResponse> GetStartPosition(const pb::GetStartPositionRequest& request);

}  // namespace komadai::rules_service
