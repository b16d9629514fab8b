#include "services/rating/store/tables.h"

namespace komadai::rating {
namespace {

// Ratings are thousandths of a point, scores millionths, times Unix milliseconds, a grade its index
// in libs/elo. `account` is what a verified player signs in with; guests have none. Only columns
// with an index refer to players: forgetting a guest looks up every reference.
constexpr char kInit[] = R"sql(
CREATE TABLE players (
  player_id TEXT COLLATE "C" PRIMARY KEY,
  account TEXT COLLATE "C" UNIQUE,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('guest', 'person', 'bot')),
  created_at BIGINT NOT NULL
);
CREATE INDEX players_guests_by_age ON players (created_at) WHERE kind = 'guest';

CREATE TABLE ratings (
  player_id TEXT COLLATE "C" NOT NULL REFERENCES players (player_id),
  variant TEXT COLLATE "C" NOT NULL,
  rating BIGINT NOT NULL,
  peak BIGINT NOT NULL,
  wins BIGINT NOT NULL,
  losses BIGINT NOT NULL,
  draws BIGINT NOT NULL,
  grade BIGINT,
  grade_reached_at BIGINT,
  ranked BIGINT NOT NULL,
  PRIMARY KEY (player_id, variant)
);
CREATE INDEX ratings_leaderboard ON ratings (variant, rating DESC, player_id) WHERE ranked = 1;

CREATE TABLE rated_games (
  game_id TEXT COLLATE "C" PRIMARY KEY,
  variant TEXT COLLATE "C" NOT NULL,
  first_id TEXT COLLATE "C" NOT NULL,
  second_id TEXT COLLATE "C" NOT NULL,
  first_score BIGINT NOT NULL,
  handicap TEXT NOT NULL,
  ended_at BIGINT NOT NULL,
  applied_at BIGINT NOT NULL,
  CHECK (first_id <> second_id)
);

CREATE TABLE rating_changes (
  player_id TEXT COLLATE "C" NOT NULL REFERENCES players (player_id),
  variant TEXT COLLATE "C" NOT NULL,
  number BIGINT NOT NULL,
  game_id TEXT COLLATE "C" NOT NULL REFERENCES rated_games (game_id),
  opponent_id TEXT COLLATE "C" NOT NULL,
  before_rating BIGINT NOT NULL,
  after_rating BIGINT NOT NULL,
  opponent_rating BIGINT NOT NULL,
  expected BIGINT NOT NULL,
  score BIGINT NOT NULL,
  k BIGINT NOT NULL,
  handicap TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (player_id, variant, number)
);
CREATE UNIQUE INDEX rating_changes_by_game ON rating_changes (game_id, player_id);
)sql";

// What two players have played with each other, by when; and what was odd about games.
constexpr char kPairsAndSignals[] = R"sql(
CREATE INDEX rating_changes_by_opponent ON rating_changes (player_id, opponent_id, at);

CREATE TABLE rating_signals (
  player_id TEXT COLLATE "C" NOT NULL REFERENCES players (player_id),
  game_id TEXT COLLATE "C" NOT NULL REFERENCES rated_games (game_id),
  kind TEXT COLLATE "C" NOT NULL,
  variant TEXT COLLATE "C" NOT NULL,
  opponent_id TEXT COLLATE "C" NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (player_id, game_id, kind)
);
CREATE INDEX rating_signals_by_time ON rating_signals (player_id, at, game_id, kind);
)sql";

elo::Rating RatingFrom(const sql::Row& row, std::size_t column) {
  return elo::Rating{row.Int(column)};
}

}  // namespace

std::vector<sql::Migration> RatingMigrations() {
  return {{1, "init", kInit}, {2, "pairs and signals", kPairsAndSignals}};
}

Player PlayerFrom(const sql::Row& row, std::size_t first) {
  Player player;
  player.id = row.Text(first);
  player.name = row.Text(first + 1);
  player.kind = FindKind(row.Text(first + 2)).value_or(PlayerKind::kGuest);
  player.created_at = FromUnixMillis(row.Int(first + 3));
  return player;
}

Standing StandingFrom(const sql::Row& row, std::size_t first) {
  Standing standing;
  standing.rating = RatingFrom(row, first);
  standing.peak = RatingFrom(row, first + 1);
  standing.wins = row.Int(first + 2);
  standing.losses = row.Int(first + 3);
  standing.draws = row.Int(first + 4);
  if (!row.IsNull(first + 5)) {
    standing.grade = elo::Grade{static_cast<int>(row.Int(first + 5))};
    standing.grade_reached_at = FromUnixMillis(row.Int(first + 6));
  }
  return standing;
}

RatingChange ChangeFrom(const sql::Row& row, std::size_t first) {
  RatingChange change;
  change.number = row.Int(first);
  change.game_id = row.Text(first + 1);
  change.variant = rules::FindVariant(row.Text(first + 2)).value_or(rules::Variant::kShogi);
  change.player_id = row.Text(first + 3);
  change.opponent_id = row.Text(first + 4);
  change.side.before = RatingFrom(row, first + 5);
  change.side.after = RatingFrom(row, first + 6);
  change.side.opponent = RatingFrom(row, first + 7);
  change.side.expected = elo::Score{row.Int(first + 8)};
  change.side.score = elo::Score{row.Int(first + 9)};
  change.side.k = static_cast<int>(row.Int(first + 10));
  change.handicap = row.Text(first + 11);
  change.at = FromUnixMillis(row.Int(first + 12));
  return change;
}

RecordedGame GameFrom(const sql::Row& row, std::size_t first) {
  RecordedGame game;
  game.id = row.Text(first);
  game.variant = rules::FindVariant(row.Text(first + 1)).value_or(rules::Variant::kShogi);
  game.first_id = row.Text(first + 2);
  game.second_id = row.Text(first + 3);
  game.first_score = elo::Score{row.Int(first + 4)};
  game.handicap = row.Text(first + 5);
  game.ended_at = FromUnixMillis(row.Int(first + 6));
  return game;
}

RatingSignal SignalFrom(const sql::Row& row, std::size_t first) {
  RatingSignal signal;
  signal.player_id = row.Text(first);
  signal.game_id = row.Text(first + 1);
  signal.kind = FindSignal(row.Text(first + 2)).value_or(SignalKind::kEarlyLoss);
  signal.variant = rules::FindVariant(row.Text(first + 3)).value_or(rules::Variant::kShogi);
  signal.opponent_id = row.Text(first + 4);
  signal.at = FromUnixMillis(row.Int(first + 5));
  return signal;
}

}  // namespace komadai::rating
