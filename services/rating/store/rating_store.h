// RatingStore: players, sessions' owners, ratings and their history, in PostgreSQL or SQLite.
#pragma once

#include <memory>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sql/schema.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {

// Thread-safe. Each method is one transaction; reads see one snapshot. Everything may be repeated
// after a failure, also after COMMIT_IN_DOUBT, except that AddGuest makes another guest. Migrates
// the schema before the first use.
class RatingStore {
 public:
  // `time` must outlive the store.
  RatingStore(std::shared_ptr<sql::Database> database, const TimeSource& time);

  // Whether the database answers and has the tables.
  Task<Status> Check(TimePoint deadline);

  Task<Status> AddGuest(Player guest, TimePoint deadline);
  // See FindOrInsertAccount.
  Task<Result<Player>> SignIn(std::string account, Player candidate, TimePoint deadline);
  // PLAYER_NOT_FOUND.
  Task<Result<Profile>> LoadProfile(std::string player_id, TimePoint deadline);
  Task<Result<Standing>> LoadStanding(std::string player_id, rules::Variant variant,
                                      TimePoint deadline);
  Task<Result<HistoryPage>> ListHistory(std::string player_id, rules::Variant variant,
                                        std::optional<std::int64_t> before, std::int64_t limit,
                                        TimePoint deadline);
  Task<Result<LeaderboardPage>> ListLeaderboard(rules::Variant variant,
                                                std::optional<LeaderboardCursor> after,
                                                std::int64_t limit, std::string own_id,
                                                TimePoint deadline);
  // Both ratings and both history rows change together or not at all; idempotent by game id.
  Task<Result<Applied>> Apply(RatedGame game, TimePoint deadline);
  // See DeleteGuests.
  Task<Result<std::int64_t>> ForgetGuests(TimePoint created_before, std::int64_t limit,
                                          TimePoint deadline);

 private:
  template <typename Fn>
  auto Run(sql::Access access, TimePoint deadline, Fn work)
      -> Task<std::invoke_result_t<Fn&, sql::Transaction&>>;

  const std::shared_ptr<sql::Database> database_;
  const TimeSource& time_;
  sql::Schema schema_;
};

}  // namespace komadai::rating
