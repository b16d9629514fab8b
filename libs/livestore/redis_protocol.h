// Conversions between LiveStore's types and the scripts' arguments and replies. Private to
// libs/livestore; pure, so that odd replies can be tested without a server.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/livestore/live_store.h"
#include "libs/redis/client.h"
#include "libs/redis/reply.h"

namespace komadai::livestore {

redis::Arguments CommitArguments(const std::string& channel_prefix, Transaction transaction);
Result<CommitOutcome> ParseCommitReply(const std::vector<std::string>& names,
                                       const std::vector<Version>& expected,
                                       const redis::Reply& reply);

// From {version, sequence, body}; the reply's strings are moved out.
Result<std::optional<Document>> ParseDocument(std::string name, redis::Reply& reply);
// From a stream's range.
Result<std::vector<Event>> ParseEvents(redis::Reply& reply);
// From names and scores alternating; entries above max_score are left out.
Result<std::vector<IndexEntry>> ParseIndex(redis::Reply& reply, std::int64_t max_score);

// From a message on a document's channel; nullopt if it is not ours.
std::optional<Notification> ParseDocumentMessage(const std::string& payload);

// The contract's errors: reads are never in doubt, and Redis' refusals are our bugs.
Error ReadError(Error error);
Error CommitError(Error error);

}  // namespace komadai::livestore
