#include "libs/sql/schema.h"

#include <utility>

namespace komadai::sql {
namespace {

// Not the caller's deadline: a migration that takes longer than one call must still get done.
constexpr Millis kMigrationTime{60'000};

}  // namespace

Schema::Schema(Database& database, std::string component, std::vector<Migration> migrations,
               const TimeSource& time)
    : database_(database),
      component_(std::move(component)),
      migrations_(std::move(migrations)),
      time_(time) {}

Task<Status> Schema::Ensure() {
  if (current_.load(std::memory_order_acquire)) co_return Status();
  const TimePoint now = time_.Now();
  // Several callers may get here at once: migrating again finds nothing to do.
  Status status = co_await Migrate(database_, component_, migrations_, now, now + kMigrationTime);
  if (status) current_.store(true, std::memory_order_release);
  co_return status;
}

Task<Status> Schema::Check(TimePoint deadline) {
  Status status = co_await Ensure();
  if (status) status = co_await Ping(database_, deadline);
  co_return status;
}

}  // namespace komadai::sql
