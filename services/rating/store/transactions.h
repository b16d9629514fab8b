// What the rating store does inside one SQL transaction, as plain functions. RatingStore runs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "services/rating/domain/fold.h"
#include "services/rating/domain/player.h"
#include "services/rating/domain/signals.h"
#include "services/rating/domain/standing.h"

namespace komadai::rating {

struct Profile {
  Player player;
  struct Entry {
    rules::Variant variant;
    Standing standing;
  };
  std::vector<Entry> ratings;  // only variants with a rated game, in the order of rules::kVariants
};

struct HistoryPage {
  std::vector<RatingChange> changes;  // newest first
  bool more = false;
};

// Where a leaderboard page begins: after this entry.
struct LeaderboardCursor {
  elo::Rating rating;
  std::string player_id;
};

struct LeaderboardEntry {
  std::int64_t rank = 0;  // equal ratings share a rank
  Player player;
  Standing standing;
};

struct LeaderboardPage {
  std::vector<LeaderboardEntry> entries;
  bool more = false;
  std::optional<LeaderboardEntry> own;
};

// The rated games of two players in one variant, as the first of them sees it.
struct HeadToHead {
  std::int64_t wins = 0;
  std::int64_t losses = 0;
  std::int64_t draws = 0;
};

// A rating after the last game of a day.
struct ChartPoint {
  TimePoint at{};
  elo::Rating rating;
  std::int64_t games = 0;
};

// A page of signals ends with this one.
struct SignalCursor {
  TimePoint at{};
  std::string game_id;
  std::string kind;
};

struct SignalPage {
  std::vector<RatingSignal> signals;  // newest first
  bool more = false;
};

// How the ratings of a board are spread, so that a rank need not be counted player by player.
struct Spread {
  struct Step {
    std::int64_t bucket;
    std::int64_t players;
  };
  TimePoint at{};  // when it was counted
  std::int64_t players = 0;
  std::vector<Step> steps;  // best first
};
// Boards of fewer players are counted each time.
inline constexpr std::int64_t kLargeBoard = 10'000;

struct Applied {
  RatingChange first;
  RatingChange second;
  bool repeated = false;  // the game had been applied before
};

// players.cc
Result<Player> InsertPlayer(sql::Transaction& tx, const Player& player);
// The player who signs in with `account`, made from `candidate` the first time.
Result<Player> FindOrInsertAccount(sql::Transaction& tx, const std::string& account,
                                   const Player& candidate);
// PLAYER_NOT_FOUND.
Result<Profile> SelectProfile(sql::Transaction& tx, const std::string& player_id);
// The initial standing for players without a rated game.
Result<Standing> SelectStanding(sql::Transaction& tx, const std::string& player_id,
                                rules::Variant variant);
// How many were forgotten, at most `limit`.
Result<std::int64_t> DeleteGuests(sql::Transaction& tx, TimePoint created_before,
                                  std::int64_t limit);

// results.cc
// Idempotent by game id. GAME_RATED_DIFFERENTLY. `pair_exhausted` is for the signals only.
Result<Applied> ApplyGame(sql::Transaction& tx, const RatedGame& game, TimePoint now,
                          bool pair_exhausted);
Status SaveStanding(sql::Transaction& tx, const std::string& player_id, rules::Variant variant,
                    const Standing& standing);

// lists.cc
// Changes numbered below `before` (all if empty).
Result<HistoryPage> SelectHistory(sql::Transaction& tx, const std::string& player_id,
                                  rules::Variant variant, std::optional<std::int64_t> before,
                                  std::int64_t limit);
// `own_id` may be empty. `spread` may be null: then ranks are counted.
Result<LeaderboardPage> SelectLeaderboard(sql::Transaction& tx, rules::Variant variant,
                                          const std::optional<LeaderboardCursor>& after,
                                          std::int64_t limit, const std::string& own_id,
                                          const Spread* spread);
// Reads the whole board.
Result<Spread> SelectSpread(sql::Transaction& tx, rules::Variant variant, TimePoint now);

// pairs.cc
Result<HeadToHead> SelectHeadToHead(sql::Transaction& tx, const std::string& player_id,
                                    const std::string& opponent_id, rules::Variant variant);
// When the pair's latest games after `since` ended, newest first, at most `limit`.
Result<std::vector<TimePoint>> SelectPairGames(sql::Transaction& tx, const std::string& player_id,
                                               const std::string& opponent_id, TimePoint since,
                                               std::int64_t limit);
// Oldest first: the latest `limit` days.
Result<std::vector<ChartPoint>> SelectChart(sql::Transaction& tx, const std::string& player_id,
                                            rules::Variant variant, std::int64_t limit);
Status InsertSignal(sql::Transaction& tx, const RatingSignal& signal);
Result<SignalPage> SelectSignals(sql::Transaction& tx, const std::string& player_id,
                                 const std::optional<SignalCursor>& after, std::int64_t limit);

// history.cc: for the recomputation.
// The next games in the order of their ids, with their changes.
Result<std::vector<RecordedGame>> SelectGames(sql::Transaction& tx, const std::string& after_id,
                                              std::int64_t limit);

// One player and variant: what is stored and the history it should come from.
struct StoredStanding {
  std::string player_id;
  rules::Variant variant = rules::Variant::kShogi;
  std::optional<Standing> standing;
  bool ranked = false;                // as stored
  std::vector<RatingChange> history;  // oldest first
};
struct StandingCursor {
  std::string player_id;  // empty: from the start
  std::string variant;
};
// The next in the order of (player, variant), those without a standing included.
Result<std::vector<StoredStanding>> SelectStandings(sql::Transaction& tx,
                                                    const StandingCursor& after,
                                                    std::int64_t limit);
Result<StoredStanding> SelectStored(sql::Transaction& tx, const std::string& player_id,
                                    rules::Variant variant);

}  // namespace komadai::rating
