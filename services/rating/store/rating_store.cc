#include "services/rating/store/rating_store.h"

#include <utility>

#include "services/rating/store/tables.h"

namespace komadai::rating {

RatingStore::RatingStore(std::shared_ptr<sql::Database> database, const TimeSource& time)
    : database_(std::move(database)),
      time_(time),
      schema_(*database_, "rating", RatingMigrations(), time) {}

template <typename Fn>
auto RatingStore::Run(sql::Access access, TimePoint deadline, Fn work)
    -> Task<std::invoke_result_t<Fn&, sql::Transaction&>> {
  Status ready = co_await schema_.Ensure();
  if (!ready) co_return std::move(ready).error();
  co_return co_await sql::Transact(*database_, access, deadline, std::move(work));
}

Task<Status> RatingStore::Check(TimePoint deadline) { return schema_.Check(deadline); }

Task<Status> RatingStore::AddGuest(Player guest, TimePoint deadline) {
  return Run(sql::Access::kWrite, deadline, [guest](sql::Transaction& tx) -> Status {
    const Result<Player> inserted = InsertPlayer(tx, guest);
    if (!inserted) return inserted.error();
    return Status();
  });
}

Task<Result<Player>> RatingStore::SignIn(std::string account, Player candidate,
                                         TimePoint deadline) {
  return Run(sql::Access::kWrite, deadline, [account, candidate](sql::Transaction& tx) {
    return FindOrInsertAccount(tx, account, candidate);
  });
}

Task<Result<Profile>> RatingStore::LoadProfile(std::string player_id, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [player_id](sql::Transaction& tx) { return SelectProfile(tx, player_id); });
}

Task<Result<Standing>> RatingStore::LoadStanding(std::string player_id, rules::Variant variant,
                                                 TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [player_id, variant](sql::Transaction& tx) {
    return SelectStanding(tx, player_id, variant);
  });
}

Task<Result<HistoryPage>> RatingStore::ListHistory(std::string player_id, rules::Variant variant,
                                                   std::optional<std::int64_t> before,
                                                   std::int64_t limit, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [player_id, variant, before, limit](sql::Transaction& tx) {
               return SelectHistory(tx, player_id, variant, before, limit);
             });
}

Task<Result<LeaderboardPage>> RatingStore::ListLeaderboard(rules::Variant variant,
                                                           std::optional<LeaderboardCursor> after,
                                                           std::int64_t limit, std::string own_id,
                                                           TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [variant, after, limit, own_id](sql::Transaction& tx) {
    return SelectLeaderboard(tx, variant, after, limit, own_id);
  });
}

Task<Result<Applied>> RatingStore::Apply(RatedGame game, TimePoint deadline) {
  const TimePoint now = time_.Now();
  return Run(sql::Access::kWrite, deadline,
             [game, now](sql::Transaction& tx) { return ApplyGame(tx, game, now); });
}

Task<Result<std::int64_t>> RatingStore::ForgetGuests(TimePoint created_before, std::int64_t limit,
                                                     TimePoint deadline) {
  return Run(sql::Access::kWrite, deadline, [created_before, limit](sql::Transaction& tx) {
    return DeleteGuests(tx, created_before, limit);
  });
}

}  // namespace komadai::rating
