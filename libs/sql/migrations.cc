#include "libs/sql/migrations.h"

#include <cstdint>
#include <cstdio>
#include <map>
#include <string_view>

namespace komadai::sql {
namespace {

constexpr std::string_view kCreateTable =
    "CREATE TABLE IF NOT EXISTS schema_migrations ("
    "component TEXT NOT NULL, version BIGINT NOT NULL, name TEXT NOT NULL, "
    "checksum TEXT NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (component, version))";

// FNV-1a, to notice an edited migration; not against malice.
std::string Checksum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx", static_cast<unsigned long long>(hash));
  return hex;
}

struct MigrationRun {
  std::string component;
  std::vector<Migration> migrations;
  TimePoint now;

  Status operator()(Transaction& tx) const {
    if (Status created = tx.ExecuteScript(kCreateTable); !created) return created;
    const Result<Rows> rows = tx.Execute(
        "SELECT version, checksum FROM schema_migrations WHERE component = $1", {component});
    if (!rows) return rows.error();
    std::map<std::int64_t, std::string> applied;
    for (const Row& row : *rows) applied[row.Int(0)] = row.Text(1);

    for (const Migration& migration : migrations) {
      const std::string checksum = Checksum(migration.script);
      const auto found = applied.find(migration.version);
      if (found == applied.end()) {
        if (Status status = Apply(tx, migration, checksum); !status) return status;
      } else if (found->second != checksum) {
        const std::string version = std::to_string(migration.version);
        return Error(kMigrationChanged,
                     "migration " + version + " of " + component + " was applied with another text",
                     {{"component", component}, {"version", version}});
      }
    }
    return Status();
  }

  Status Apply(Transaction& tx, const Migration& migration, const std::string& checksum) const {
    if (Status status = tx.ExecuteScript(migration.script); !status) return status;
    const Result<Rows> inserted = tx.Execute(
        "INSERT INTO schema_migrations (component, version, name, checksum, applied_at) "
        "VALUES ($1, $2, $3, $4, $5)",
        {component, migration.version, migration.name, checksum, ToUnixMillis(now)});
    if (!inserted) return inserted.error();
    return Status();
  }
};

}  // namespace

Task<Status> Migrate(Database& database, std::string component, std::vector<Migration> migrations,
                     TimePoint now, TimePoint deadline) {
  for (std::size_t i = 0; i < migrations.size(); ++i) {
    KOMADAI_CHECK(migrations[i].version == static_cast<int>(i) + 1);
  }
  MigrationRun run{std::move(component), std::move(migrations), now};
  Status status = co_await Transact(database, Access::kSchema, deadline, std::move(run));
  co_return status;
}

}  // namespace komadai::sql
