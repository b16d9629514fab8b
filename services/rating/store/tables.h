// The tables of the rating service, and how its values stand in their columns.
#pragma once

#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/sql/migrations.h"
#include "libs/sql/value.h"
#include "services/rating/domain/player.h"
#include "services/rating/domain/standing.h"

namespace komadai::rating {

std::vector<sql::Migration> RatingMigrations();

// The columns each reader below expects, in order, for SELECT lists.
inline constexpr char kPlayerColumns[] = "player_id, name, kind, created_at";
inline constexpr char kStandingColumns[] =
    "rating, peak, wins, losses, draws, grade, grade_reached_at";
inline constexpr char kChangeColumns[] =
    "number, game_id, variant, player_id, opponent_id, before_rating, after_rating, "
    "opponent_rating, expected, score, k, handicap, at";

// `first` is the index of the value's first column in the row.
Player PlayerFrom(const sql::Row& row, std::size_t first = 0);
Standing StandingFrom(const sql::Row& row, std::size_t first = 0);
RatingChange ChangeFrom(const sql::Row& row, std::size_t first = 0);

}  // namespace komadai::rating
