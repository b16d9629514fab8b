// Numbered schema migrations, safe when several replicas start at once.
#pragma once

#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"

namespace komadai::sql {

// Migrations only add: replicas of the version before keep working on the schema after (expand
// first, contract in a later release).
struct Migration {
  int version = 0;  // 1, 2, 3, ... without a gap
  std::string name;
  std::string script;  // statements of the common subset
};

// Applies, in one transaction, what the table schema_migrations does not list yet for `component`
// (the service that owns the tables). A database that is already newer is left alone: the other
// half of a rolling restart migrated it. MIGRATION_CHANGED if an applied one has another text now.
Task<Status> Migrate(Database& database, std::string component, std::vector<Migration> migrations,
                     TimePoint now, TimePoint deadline);

}  // namespace komadai::sql
