// From records of the contract to entries of the archive.
#pragma once

#include <string>

#include "komadai/common/v1/game_record.pb.h"
#include "komadai/kifu/v1/kifu.pb.h"
#include "libs/base/result.h"
#include "libs/base/time.h"
#include "services/kifu/domain/entry.h"

namespace komadai::kifu {

namespace pb = ::komadai::kifu::v1;
namespace common_pb = ::komadai::common::v1;

// Checks every move and notes the positions the game went through. INVALID_RECORD, or the reason of
// the rule a move breaks, with metadata "ply".
Result<Entry> EntryOf(std::string kifu_id, std::string game_id, const common_pb::GameRecord& record,
                      TimePoint now);

pb::KifuSummary SummaryOf(const Entry& entry);
// INVALID_RECORD if the stored record cannot be read.
Result<common_pb::GameRecord> RecordOf(const Entry& entry);

}  // namespace komadai::kifu
