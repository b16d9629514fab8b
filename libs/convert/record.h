// Whole games between the contract and libs/notation.
#pragma once

#include "komadai/common/v1/game_record.pb.h"
#include "libs/base/result.h"
#include "libs/notation/records/game_record.h"

namespace komadai::convert {

namespace pb = ::komadai::common::v1;

// Every move and variation is checked, texts are cleaned (notation::CheckRecord). Positions without
// a king are accepted: tsume problems are recorded too. Player ids, ratings and time controls are
// left out, since record files cannot hold them.
Result<notation::GameRecord> RecordFromProto(const pb::GameRecord& record);

pb::GameRecord ToProto(const notation::GameRecord& record);

}  // namespace komadai::convert
