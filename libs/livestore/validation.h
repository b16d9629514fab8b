// The limits of live_store.h, checked by every implementation before it does anything.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "libs/base/result.h"
#include "libs/livestore/live_store.h"

namespace komadai::livestore {

Status ValidatePartition(std::string_view partition);
// A document, index or channel name; `what` is for the message.
Status ValidateName(std::string_view what, std::string_view name);
Status ValidateKey(std::string_view partition, std::string_view name);
Status ValidateKeys(std::string_view partition, const std::vector<std::string>& names);
Status Validate(const Transaction& transaction);
Status Validate(const IndexQuery& query);
Status ValidateScores(std::int64_t min_score, std::int64_t max_score);

// A page limit as it is used: in [0, kMaxPage].
std::int64_t ClampPage(std::int64_t limit);

// True if the change does something besides comparing the version.
bool HasEffect(const Change& change);
// True if the change makes an absent document exist.
bool Creates(const Change& change);

// The error for a document that would both expire and be in an index.
Error ExpiringDocumentInIndex(const std::string& name);

}  // namespace komadai::livestore
