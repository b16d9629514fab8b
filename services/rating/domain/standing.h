// A player's standing in one variant, and what a rated game does to two of them. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "libs/base/time.h"
#include "libs/elo/elo.h"
#include "libs/elo/grade.h"
#include "libs/rules/types.h"
#include "services/rating/domain/player.h"

namespace komadai::rating {

struct Standing {
  elo::Rating rating = elo::kInitialRating;
  elo::Rating peak = elo::kInitialRating;
  std::int64_t wins = 0;
  std::int64_t losses = 0;
  std::int64_t draws = 0;
  // The highest grade held with an established rating; never lost.
  std::optional<elo::Grade> grade;
  TimePoint grade_reached_at{};

  std::int64_t games() const { return wins + losses + draws; }
  elo::Record record() const { return {games(), wins, losses}; }
  bool provisional() const { return elo::IsProvisional(record()); }
  bool unrated() const { return elo::IsUnrated(record()); }
  // Established enough for a leaderboard.
  bool ranked() const { return !provisional() && !unrated(); }
};

// A finished game that changes ratings: between two different verified players, by a handicap of
// known worth.
struct RatedGame {
  std::string id;
  rules::Variant variant = rules::Variant::kShogi;
  Player first;
  Player second;
  elo::Score first_score;
  std::string handicap;  // id; empty = even
  double handicap_ranks = 0;
  TimePoint ended_at{};
  // For signals only; a repeat may differ in them.
  int plies = 0;
  bool conceded = false;  // ended by resigning, the flag or leaving, not on the board
};

// One immutable row of history. `number` counts a player's changes in a variant from 1: the
// `after` of each is the `before` of the next, and the last is the rating.
struct RatingChange {
  std::int64_t number = 0;
  std::string game_id;
  rules::Variant variant = rules::Variant::kShogi;
  std::string player_id;
  std::string opponent_id;
  elo::SideChange side;
  std::string handicap;
  TimePoint at{};
};

// The standing after one more rated game that ended at `at`.
Standing After(Standing standing, const elo::SideChange& change, TimePoint at);

// Both sides of one game: they change together or not at all.
struct RatedPair {
  Standing first;
  Standing second;
  RatingChange first_change;
  RatingChange second_change;
};

// The standings after `game` and the history rows that lead there.
RatedPair Rate(const RatedGame& game, const Standing& first, const Standing& second);

}  // namespace komadai::rating
