// What can be played: variants, rulesets, handicaps and where games start.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace v1 = ::komadai::rules::v1;

Result<v1::ListVariantsResponse> ListVariants(const v1::ListVariantsRequest& request);
Result<v1::GetStartPositionResponse> GetStartPosition(const v1::GetStartPositionRequest& request);

}  // namespace komadai::rules_service
