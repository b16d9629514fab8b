// What the rating store does inside one SQL transaction, as plain functions. RatingStore runs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "services/rating/domain/player.h"
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
// Idempotent by game id. GAME_RATED_DIFFERENTLY.
Result<Applied> ApplyGame(sql::Transaction& tx, const RatedGame& game, TimePoint now);

// lists.cc
// Changes numbered below `before` (all if empty).
Result<HistoryPage> SelectHistory(sql::Transaction& tx, const std::string& player_id,
                                  rules::Variant variant, std::optional<std::int64_t> before,
                                  std::int64_t limit);
// `own_id` may be empty.
Result<LeaderboardPage> SelectLeaderboard(sql::Transaction& tx, rules::Variant variant,
                                          const std::optional<LeaderboardCursor>& after,
                                          std::int64_t limit, const std::string& own_id);

}  // namespace komadai::rating
