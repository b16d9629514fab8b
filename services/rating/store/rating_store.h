// RatingStore: players, sessions' owners, ratings and their history, in PostgreSQL or SQLite.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "libs/base/mutex.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sql/schema.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {

struct Comparison {
  Standing player;
  Standing opponent;
  HeadToHead between;
};

struct PairCheck {
  bool allowed = true;
  std::int64_t games = 0;     // that ended in the last 24 hours
  std::int64_t limit = 0;     // 0 = any number
  TimePoint allowed_again{};  // when not allowed
};

// Thread-safe. Each method is one transaction; reads see one snapshot. Everything may be repeated
// after a failure, also after COMMIT_IN_DOUBT, except that AddGuest makes another guest. Migrates
// the schema before the first use.
class RatingStore {
 public:
  // `time` must outlive the store. `pair_games_per_day`: see CheckPair(); 0 = any number.
  RatingStore(std::shared_ptr<sql::Database> database, const TimeSource& time,
              int pair_games_per_day = 0);

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
  Task<Result<std::vector<ChartPoint>>> LoadChart(std::string player_id, rules::Variant variant,
                                                  std::int64_t limit, TimePoint deadline);
  Task<Result<Comparison>> Compare(std::string player_id, std::string opponent_id,
                                   rules::Variant variant, TimePoint deadline);
  // Whether the pair may begin another rated game now.
  Task<Result<PairCheck>> CheckPair(std::string player_id, std::string opponent_id,
                                    TimePoint deadline);
  Task<Result<SignalPage>> ListSignals(std::string player_id, std::optional<SignalCursor> after,
                                       std::int64_t limit, TimePoint deadline);
  // Both ratings and both history rows change together or not at all; idempotent by game id. Apart
  // from GAME_RATED_DIFFERENTLY and INVALID_VALUE no failure is final: send the game again.
  Task<Result<Applied>> Apply(RatedGame game, TimePoint deadline);

  // For the recomputation: everything recorded, page by page. Standings in the order of their keys.
  Task<Result<std::vector<RecordedGame>>> PageOfGames(std::string after_id, std::int64_t limit,
                                                      TimePoint deadline);
  Task<Result<std::vector<StoredStanding>>> PageOfStandings(StandingCursor after,
                                                            std::int64_t limit, TimePoint deadline);
  // Stores the rating that follows from the history; returns whether it differed from the old one.
  Task<Result<bool>> Refold(std::string player_id, rules::Variant variant, TimePoint deadline);
  // See DeleteGuests.
  Task<Result<std::int64_t>> ForgetGuests(TimePoint created_before, std::int64_t limit,
                                          TimePoint deadline);

 private:
  template <typename Fn>
  auto Run(sql::Access access, TimePoint deadline, Fn work)
      -> Task<std::invoke_result_t<Fn&, sql::Transaction&>>;

  // The spread to rank with, counted anew now and then by whoever comes first; null if none is
  // known yet.
  Task<std::shared_ptr<const Spread>> SpreadOf(rules::Variant variant, TimePoint deadline);

  struct KnownSpread {
    std::shared_ptr<const Spread> spread;
    bool refreshing = false;
  };

  const std::shared_ptr<sql::Database> database_;
  const TimeSource& time_;
  const int pair_games_per_day_;
  sql::Schema schema_;
  Mutex mutex_;
  std::map<rules::Variant, KnownSpread> spreads_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::rating
