#include "libs/stores/stores.h"

#include <functional>
#include <map>
#include <utility>

#include "libs/base/mutex.h"
#include "libs/base/random.h"
#include "libs/base/sync_wait.h"
#include "libs/livestore/redis_live_store.h"
#include "libs/livestore/sqlite_live_store.h"
#include "libs/postgres/database.h"
#include "libs/redis/options.h"
#include "libs/sqlite/database.h"
#include "libs/sqlite/file_lock.h"

namespace komadai::stores {
namespace {

// The stores this process has open, by address. Weak: the components own them.
template <typename T>
class Open {
 public:
  using Make = std::function<Result<std::shared_ptr<T>>()>;

  Result<std::shared_ptr<T>> Get(const std::string& address, const Make& make) {
    const MutexLock lock(mutex_);
    if (std::shared_ptr<T> open = by_address_[address].lock()) return open;
    Result<std::shared_ptr<T>> made = make();
    if (made) by_address_[address] = *made;
    return made;
  }

 private:
  Mutex mutex_;
  std::map<std::string, std::weak_ptr<T>> by_address_ KOMADAI_GUARDED_BY(mutex_);
};

// A live store in an SQLite file together with the file's one writer.
struct SqliteLive {
  std::unique_ptr<sqlite::FileLock> lock;
  std::shared_ptr<sqlite::Database> database;
  std::unique_ptr<livestore::LiveStore> store;
};

Result<std::shared_ptr<sqlite::Database>> OpenSqlite(const std::string& path,
                                                     const TimeSource& time) {
  static Open<sqlite::Database> open;
  return open.Get(path, [&]() -> Result<std::shared_ptr<sqlite::Database>> {
    sqlite::Options options;
    options.path = path;
    Result<std::unique_ptr<sqlite::Database>> database =
        sqlite::Database::Open(std::move(options), time);
    if (!database) return std::move(database).error();
    return std::shared_ptr<sqlite::Database>(std::move(database).value());
  });
}

Result<std::shared_ptr<livestore::LiveStore>> OpenSqliteLive(const std::string& path,
                                                             const TimeSource& time) {
  static Open<livestore::LiveStore> open;
  return open.Get(path, [&]() -> Result<std::shared_ptr<livestore::LiveStore>> {
    // Watchers of games learn of changes in this process only.
    Result<std::unique_ptr<sqlite::FileLock>> lock = sqlite::FileLock::Take(path);
    if (!lock) return std::move(lock).error();
    Result<std::shared_ptr<sqlite::Database>> database = OpenSqlite(path, time);
    if (!database) return std::move(database).error();
    Result<std::unique_ptr<livestore::SqliteLiveStore>> store =
        SyncWait(livestore::SqliteLiveStore::Open(**database, time));
    if (!store) return std::move(store).error();
    auto both = std::make_shared<SqliteLive>();
    both->lock = *std::move(lock);
    both->database = *std::move(database);
    both->store = std::move(store).value();
    return std::shared_ptr<livestore::LiveStore>(both, both->store.get());
  });
}

Result<std::shared_ptr<livestore::LiveStore>> OpenRedis(const std::string& url, bool accept_loss) {
  static Open<livestore::LiveStore> open;
  return open.Get(url, [&]() -> Result<std::shared_ptr<livestore::LiveStore>> {
    Result<redis::Options> options = redis::ParseUrl(url);
    if (!options) return std::move(options).error();
    return std::shared_ptr<livestore::LiveStore>(
        std::make_shared<livestore::RedisLiveStore>(*std::move(options), nullptr, accept_loss));
  });
}

Result<std::shared_ptr<sql::Database>> OpenPostgres(const SqlSettings& settings,
                                                    const TimeSource& time) {
  static SystemRandom random;  // outlives every database
  static Open<sql::Database> open;
  return open.Get(settings.postgres_url.Reveal(), [&]() -> Result<std::shared_ptr<sql::Database>> {
    postgres::Options options;
    options.url = settings.postgres_url.Reveal();
    options.connections = settings.postgres_connections;
    Result<std::unique_ptr<postgres::Database>> database =
        postgres::Database::Open(std::move(options), time, random);
    if (!database) return std::move(database).error();
    return std::shared_ptr<sql::Database>(std::move(database).value());
  });
}

Error NoStore(const char* kind, const char* setting) {
  return Error(kNoStore,
               std::string("no store for ") + kind + ": set " + setting + " or sqlite-path");
}

constexpr char kSqliteHelp[] =
    "SQLite file that holds everything when no server is set (one process only)";

}  // namespace

void LiveSettings::AddTo(config::Settings& settings) {
  settings.Add("redis-url", &redis_url,
               "store of live games, clocks and seeks: redis://[user:password@]host:port/db or "
               "unix:///path");
  settings.Add("redis-accept-loss", &redis_accept_loss,
               "be ready also with a Redis that runs without appendonly and loses the games in "
               "progress when it ends");
  settings.Add("sqlite-path", &sqlite_path, kSqliteHelp);
}

void SqlSettings::AddTo(config::Settings& settings) {
  settings.Add("postgres-url", &postgres_url,
               "store of the archive and the ratings: postgresql://user:password@host:port/db");
  settings.Add("sqlite-path", &sqlite_path, kSqliteHelp);
  settings.Add("postgres-connections", &postgres_connections,
               "number of connections to PostgreSQL, and of threads that use them",
               config::Range(1, 256));
}

Result<std::shared_ptr<livestore::LiveStore>> OpenLiveStore(const LiveSettings& settings,
                                                            const TimeSource& time) {
  if (!settings.redis_url.empty()) {
    return OpenRedis(settings.redis_url.Reveal(), settings.redis_accept_loss);
  }
  if (!settings.sqlite_path.empty()) return OpenSqliteLive(settings.sqlite_path, time);
  return NoStore("live games", "redis-url");
}

Result<std::shared_ptr<sql::Database>> OpenDatabase(const SqlSettings& settings,
                                                    const TimeSource& time) {
  if (!settings.postgres_url.empty()) return OpenPostgres(settings, time);
  if (!settings.sqlite_path.empty()) {
    Result<std::shared_ptr<sqlite::Database>> database = OpenSqlite(settings.sqlite_path, time);
    if (!database) return std::move(database).error();
    // Archive and ratings may wait, live games may not.
    return std::shared_ptr<sql::Database>(*database, &(*database)->Background());
  }
  return NoStore("the archive and the ratings", "postgres-url");
}

}  // namespace komadai::stores
