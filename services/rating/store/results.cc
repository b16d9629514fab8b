#include <utility>

#include "services/rating/errors.h"
#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

Error RatedDifferently(const RatedGame& game) {
  return Error(kGameRatedDifferently, "this game was rated before with different content",
               {{"game_id", game.id}});
}

// A player may be verified elsewhere and play a rated game before this service ever saw them, and
// is listed under the name of the last game.
Status EnsurePlayer(sql::Transaction& tx, const Player& player, TimePoint now) {
  const Result<sql::Rows> rows = tx.Execute(
      "INSERT INTO players (player_id, name, kind, created_at) VALUES ($1, $2, $3, $4) "
      "ON CONFLICT (player_id) DO UPDATE SET name = excluded.name "
      "WHERE players.name <> excluded.name",
      {player.id, player.name, KindName(player.kind), ToUnixMillis(now)});
  if (!rows) return rows.error();
  return Status();
}

Status InsertGame(sql::Transaction& tx, const RatedGame& game, TimePoint now) {
  const Result<sql::Rows> rows = tx.Execute(
      "INSERT INTO rated_games (game_id, variant, first_id, second_id, first_score, handicap, "
      "ended_at, applied_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
      {game.id, rules::VariantName(game.variant), game.first.id, game.second.id,
       game.first_score.millionths, game.handicap, ToUnixMillis(game.ended_at), ToUnixMillis(now)});
  if (!rows) return rows.error();
  return Status();
}

Status InsertChange(sql::Transaction& tx, const RatingChange& change) {
  const elo::SideChange& side = change.side;
  const Result<sql::Rows> rows =
      tx.Execute(std::string("INSERT INTO rating_changes (") + kChangeColumns +
                     ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
                 {change.number, change.game_id, rules::VariantName(change.variant),
                  change.player_id, change.opponent_id, side.before.milli_points,
                  side.after.milli_points, side.opponent.milli_points, side.expected.millionths,
                  side.score.millionths, side.k, change.handicap, ToUnixMillis(change.at)});
  if (!rows) return rows.error();
  return Status();
}

// The changes of an earlier application; none if there was none.
Result<std::optional<Applied>> FindApplied(sql::Transaction& tx, const RatedGame& game) {
  const Result<sql::Rows> games = tx.Execute(
      "SELECT variant, first_id, second_id, first_score, handicap, ended_at FROM rated_games "
      "WHERE game_id = $1",
      {game.id});
  if (!games) return games.error();
  if (games->empty()) return std::optional<Applied>();
  const sql::Row& row = (*games)[0];
  const bool same = row.Text(0) == rules::VariantName(game.variant) &&
                    row.Text(1) == game.first.id && row.Text(2) == game.second.id &&
                    row.Int(3) == game.first_score.millionths && row.Text(4) == game.handicap &&
                    row.Int(5) == ToUnixMillis(game.ended_at);
  if (!same) return RatedDifferently(game);

  const Result<sql::Rows> changes =
      tx.Execute(std::string("SELECT ") + kChangeColumns +
                     " FROM rating_changes WHERE game_id = $1 ORDER BY player_id",
                 {game.id});
  if (!changes) return changes.error();
  if (changes->size() != 2) return Error(kInternal, "a rated game without its two changes");
  Applied applied;
  applied.repeated = true;
  applied.first = ChangeFrom((*changes)[0]);
  applied.second = ChangeFrom((*changes)[1]);
  if (applied.first.player_id != game.first.id) std::swap(applied.first, applied.second);
  return std::optional<Applied>(std::move(applied));
}

}  // namespace

Status SaveStanding(sql::Transaction& tx, const std::string& player_id, rules::Variant variant,
                    const Standing& standing) {
  sql::Value grade;
  sql::Value grade_reached_at;
  if (standing.grade) {
    grade = standing.grade->index;
    grade_reached_at = ToUnixMillis(standing.grade_reached_at);
  }
  const Result<sql::Rows> rows = tx.Execute(
      "INSERT INTO ratings (player_id, variant, rating, peak, wins, losses, draws, grade, "
      "grade_reached_at, ranked) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) "
      "ON CONFLICT (player_id, variant) DO UPDATE SET rating = excluded.rating, "
      "peak = excluded.peak, wins = excluded.wins, losses = excluded.losses, "
      "draws = excluded.draws, grade = excluded.grade, "
      "grade_reached_at = excluded.grade_reached_at, ranked = excluded.ranked",
      {player_id, rules::VariantName(variant), standing.rating.milli_points,
       standing.peak.milli_points, standing.wins, standing.losses, standing.draws, grade,
       grade_reached_at, standing.ranked()});
  if (!rows) return rows.error();
  return Status();
}

Result<Applied> ApplyGame(sql::Transaction& tx, const RatedGame& game, TimePoint now,
                          bool pair_exhausted) {
  Result<std::optional<Applied>> earlier = FindApplied(tx, game);
  if (!earlier) return std::move(earlier).error();
  if (*earlier) return **std::move(earlier);

  // Rows are written in the order of the ids, so that two games of one pair never wait for each
  // other.
  const Player* players[] = {&game.first, &game.second};
  if (players[1]->id < players[0]->id) std::swap(players[0], players[1]);
  for (const Player* player : players) {
    if (Status status = EnsurePlayer(tx, *player, now); !status) return status.error();
  }
  const Result<Standing> first = SelectStanding(tx, game.first.id, game.variant);
  if (!first) return first.error();
  const Result<Standing> second = SelectStanding(tx, game.second.id, game.variant);
  if (!second) return second.error();

  RatedPair pair = Rate(game, *first, *second);
  // The ratings first: whoever rates another game of these players at the same time meets us at
  // their rows and is run again on what we leave, before it gets to insert a history row with our
  // number.
  for (const Player* player : players) {
    const Standing& standing = player == &game.first ? pair.first : pair.second;
    if (Status status = SaveStanding(tx, player->id, game.variant, standing); !status) {
      return status.error();
    }
  }
  if (Status status = InsertGame(tx, game, now); !status) return status.error();
  for (const RatingChange* change : {&pair.first_change, &pair.second_change}) {
    if (Status status = InsertChange(tx, *change); !status) return status.error();
  }
  for (const RatingSignal& signal : SignalsOf(game, *first, *second, pair, pair_exhausted)) {
    if (Status status = InsertSignal(tx, signal); !status) return status.error();
  }
  return Applied{std::move(pair.first_change), std::move(pair.second_change), false};
}

}  // namespace komadai::rating
