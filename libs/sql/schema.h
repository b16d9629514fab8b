// Schema: the tables of one service, brought up to date before the first statement that needs them.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sql/migrations.h"

namespace komadai::sql {

// A store awaits Ensure() before each operation, so that a service can start while its database is
// away and needs no order of starting. Thread-safe; `database` and `time` must outlive it.
class Schema {
 public:
  Schema(Database& database, std::string component, std::vector<Migration> migrations,
         const TimeSource& time);

  // Migrates unless this object has done so; costs nothing after that. Fails as Migrate() does.
  Task<Status> Ensure();
  // Ensure() and then Ping(): what a readiness check asks.
  Task<Status> Check(TimePoint deadline);

 private:
  Database& database_;
  const std::string component_;
  const std::vector<Migration> migrations_;
  const TimeSource& time_;
  std::atomic<bool> current_{false};
};

}  // namespace komadai::sql
