// The tables of the rating service, and how its values stand in their columns.
#pragma once

#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/sql/migrations.h"
#include "libs/sql/value.h"
#include "services/rating/domain/fold.h"
#include "services/rating/domain/player.h"
#include "services/rating/domain/signals.h"
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
inline constexpr char kGameColumns[] =
    "game_id, variant, first_id, second_id, first_score, handicap, ended_at";
inline constexpr char kSignalColumns[] = "player_id, game_id, kind, variant, opponent_id, at";

// `first` is the index of the value's first column in the row.
Player PlayerFrom(const sql::Row& row, std::size_t first = 0);
Standing StandingFrom(const sql::Row& row, std::size_t first = 0);
RatingChange ChangeFrom(const sql::Row& row, std::size_t first = 0);
RecordedGame GameFrom(const sql::Row& row, std::size_t first = 0);  // without its changes
RatingSignal SignalFrom(const sql::Row& row, std::size_t first = 0);

}  // namespace komadai::rating
