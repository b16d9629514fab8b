#include "services/rating/store/rating_store.h"

#include <algorithm>
#include <utility>

#include "services/rating/store/tables.h"

namespace komadai::rating {

namespace {

constexpr Millis kSpreadLifetime{30'000};
constexpr std::chrono::hours kDay{24};

// The pair's games of the last day, and whether one more may follow.
Result<PairCheck> CheckPairIn(sql::Transaction& tx, const std::string& player_id,
                              const std::string& opponent_id, int per_day, TimePoint now) {
  PairCheck check;
  check.limit = per_day;
  const Result<std::vector<TimePoint>> ends =
      SelectPairGames(tx, player_id, opponent_id, now - kDay, std::max(per_day, 1000));
  if (!ends) return ends.error();
  check.games = static_cast<std::int64_t>(ends->size());
  check.allowed = per_day == 0 || check.games < per_day;
  if (!check.allowed) {
    check.allowed_again = (*ends)[static_cast<std::size_t>(per_day) - 1] + kDay;
  }
  return check;
}

}  // namespace

RatingStore::RatingStore(std::shared_ptr<sql::Database> database, const TimeSource& time,
                         int pair_games_per_day)
    : database_(std::move(database)),
      time_(time),
      pair_games_per_day_(pair_games_per_day),
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
  const std::shared_ptr<const Spread> spread = co_await SpreadOf(variant, deadline);
  const auto work = [variant, after, limit, own_id, spread](sql::Transaction& tx) {
    return SelectLeaderboard(tx, variant, after, limit, own_id, spread.get());
  };
  Result<LeaderboardPage> page = co_await Run(sql::Access::kRead, deadline, work);
  co_return page;
}

Task<std::shared_ptr<const Spread>> RatingStore::SpreadOf(rules::Variant variant,
                                                          TimePoint deadline) {
  const TimePoint now = time_.Now();
  {
    const MutexLock lock(mutex_);
    KnownSpread& known = spreads_[variant];
    const bool fresh = known.spread != nullptr && now - known.spread->at < kSpreadLifetime;
    if (fresh || known.refreshing) co_return known.spread;
    known.refreshing = true;
  }
  const auto work = [variant, now](sql::Transaction& tx) { return SelectSpread(tx, variant, now); };
  const Result<Spread> counted = co_await Run(sql::Access::kRead, deadline, work);
  const MutexLock lock(mutex_);
  KnownSpread& known = spreads_[variant];
  known.refreshing = false;
  if (counted) known.spread = std::make_shared<const Spread>(*counted);
  co_return known.spread;
}

Task<Result<std::vector<ChartPoint>>> RatingStore::LoadChart(std::string player_id,
                                                             rules::Variant variant,
                                                             std::int64_t limit,
                                                             TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [player_id, variant, limit](sql::Transaction& tx) {
    return SelectChart(tx, player_id, variant, limit);
  });
}

Task<Result<Comparison>> RatingStore::Compare(std::string player_id, std::string opponent_id,
                                              rules::Variant variant, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [player_id, opponent_id, variant](sql::Transaction& tx) -> Result<Comparison> {
               const Result<Standing> player = SelectStanding(tx, player_id, variant);
               if (!player) return player.error();
               const Result<Standing> opponent = SelectStanding(tx, opponent_id, variant);
               if (!opponent) return opponent.error();
               const Result<HeadToHead> between =
                   SelectHeadToHead(tx, player_id, opponent_id, variant);
               if (!between) return between.error();
               return Comparison{*player, *opponent, *between};
             });
}

Task<Result<PairCheck>> RatingStore::CheckPair(std::string player_id, std::string opponent_id,
                                               TimePoint deadline) {
  const TimePoint now = time_.Now();
  const int per_day = pair_games_per_day_;
  return Run(sql::Access::kRead, deadline,
             [player_id, opponent_id, per_day, now](sql::Transaction& tx) {
               return CheckPairIn(tx, player_id, opponent_id, per_day, now);
             });
}

Task<Result<SignalPage>> RatingStore::ListSignals(std::string player_id,
                                                  std::optional<SignalCursor> after,
                                                  std::int64_t limit, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [player_id, after, limit](sql::Transaction& tx) {
    return SelectSignals(tx, player_id, after, limit);
  });
}

Task<Result<Applied>> RatingStore::Apply(RatedGame game, TimePoint deadline) {
  const TimePoint now = time_.Now();
  bool exhausted = false;
  if (pair_games_per_day_ > 0) {
    // Read apart: inside the serializable transaction these reads would collide with the games of
    // others. A signal may be missed by that, a rating not.
    const int per_day = pair_games_per_day_;
    const auto count = [game, per_day](sql::Transaction& tx) {
      return CheckPairIn(tx, game.first.id, game.second.id, per_day, game.ended_at);
    };
    const Result<PairCheck> pair = co_await Run(sql::Access::kRead, deadline, count);
    if (!pair) co_return pair.error();
    exhausted = !pair->allowed;
  }
  const auto apply = [game, now, exhausted](sql::Transaction& tx) {
    return ApplyGame(tx, game, now, exhausted);
  };
  Result<Applied> applied = co_await Run(sql::Access::kWrite, deadline, apply);
  // Met again and again by games of the same players at the same time: nothing is wrong with this
  // one, and whoever sent it must not take it for refused.
  if (!applied && applied.error().Is(sql::kUniqueViolation)) {
    Error collided(sql::kSerializationFailure, applied.error().message());
    co_return collided;
  }
  co_return applied;
}

Task<Result<std::vector<RecordedGame>>> RatingStore::PageOfGames(std::string after_id,
                                                                 std::int64_t limit,
                                                                 TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [after_id, limit](sql::Transaction& tx) { return SelectGames(tx, after_id, limit); });
}

Task<Result<std::vector<StoredStanding>>> RatingStore::PageOfStandings(StandingCursor after,
                                                                       std::int64_t limit,
                                                                       TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [after, limit](sql::Transaction& tx) { return SelectStandings(tx, after, limit); });
}

Task<Result<bool>> RatingStore::Refold(std::string player_id, rules::Variant variant,
                                       TimePoint deadline) {
  return Run(
      sql::Access::kWrite, deadline, [player_id, variant](sql::Transaction& tx) -> Result<bool> {
        const Result<StoredStanding> stored = SelectStored(tx, player_id, variant);
        if (!stored) return stored.error();
        HistoryFold fold;
        for (const RatingChange& change : stored->history) fold.Add(change);
        const Standing& folded = fold.standing();
        const bool right =
            stored->standing && *stored->standing == folded && stored->ranked == folded.ranked();
        if (right) return false;
        if (Status saved = SaveStanding(tx, player_id, variant, folded); !saved) {
          return saved.error();
        }
        return true;
      });
}

Task<Result<std::int64_t>> RatingStore::ForgetGuests(TimePoint created_before, std::int64_t limit,
                                                     TimePoint deadline) {
  return Run(sql::Access::kWrite, deadline, [created_before, limit](sql::Transaction& tx) {
    return DeleteGuests(tx, created_before, limit);
  });
}

}  // namespace komadai::rating
