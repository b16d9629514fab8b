// Record files: reading and writing.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace pb = ::komadai::rules::v1;

Result<pb::ReadRecordResponse> ReadRecord(const pb::ReadRecordRequest& request);
Result<pb::WriteRecordResponse> WriteRecord(const pb::WriteRecordRequest& request);

}  // namespace komadai::rules_service
