// One transaction of SqliteLiveStore, in SQL. Private to libs/livestore.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/livestore/live_store.h"
#include "libs/sql/database.h"
#include "libs/sql/migrations.h"

namespace komadai::livestore {

std::vector<sql::Migration> LiveStoreMigrations();

// What a transaction came to, and what to publish once it is durable, by topic.
struct CommitAttempt {
  CommitOutcome outcome;
  std::vector<std::pair<std::string, Notification>> notifications;
};

// Compares and applies. An error or a conflict has changed nothing (an error by the rollback of
// `tx`). All documents get `version`.
Result<CommitAttempt> RunCommit(sql::Transaction& tx, const Transaction& transaction, TimePoint now,
                                Version version);

// The document, unless it is absent or has expired, and its row id.
struct StoredDocument {
  std::int64_t id = 0;
  Document document;
};
Result<std::optional<StoredDocument>> FindDocument(sql::Transaction& tx,
                                                   const std::string& partition,
                                                   const std::string& name, TimePoint now);
Result<std::vector<Event>> ReadEvents(sql::Transaction& tx, std::int64_t id, Sequence after,
                                      std::int64_t limit);

}  // namespace komadai::livestore
