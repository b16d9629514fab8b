// Record files: reading and writing.
#pragma once

#include "komadai/rules/v1/rules.pb.h"
#include "libs/base/result.h"

namespace komadai::rules_service {

namespace v1 = ::komadai::rules::v1;

Result<v1::ReadRecordResponse> ReadRecord(const v1::ReadRecordRequest& request);
Result<v1::WriteRecordResponse> WriteRecord(const v1::WriteRecordRequest& request);

}  // namespace komadai::rules_service
