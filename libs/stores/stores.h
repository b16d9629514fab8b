// Stores: which store a service keeps its state in, by settings; one place that knows all of them.
//
// Live state (games, clocks, seeks): --redis-url, else --sqlite-path. Archive and ratings:
// --postgres-url, else --sqlite-path. Components of one process that name the same store share one
// client of it: one event loop for Redis, one pool for PostgreSQL, one writer for an SQLite file.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/config/settings.h"
#include "libs/livestore/live_store.h"
#include "libs/sql/database.h"

namespace komadai::stores {

inline constexpr Reason kNoStore{Code::kFailedPrecondition, "NO_STORE"};

struct LiveSettings {
  config::SecretUrl redis_url;
  bool redis_accept_loss = false;
  std::string sqlite_path;

  void AddTo(config::Settings& settings);
};

struct SqlSettings {
  config::SecretUrl postgres_url;
  std::string sqlite_path;
  int postgres_connections = 8;

  void AddTo(config::Settings& settings);
};

// NO_STORE when no setting names one, or what the store says when it cannot be opened. A server
// that is away is not an error here: clients reconnect by themselves, and readiness reports it.
// `time` must outlive the store.
Result<std::shared_ptr<livestore::LiveStore>> OpenLiveStore(const LiveSettings& settings,
                                                            const TimeSource& time);
Result<std::shared_ptr<sql::Database>> OpenDatabase(const SqlSettings& settings,
                                                    const TimeSource& time);

}  // namespace komadai::stores
