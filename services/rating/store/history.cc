// Whole histories, in the order of their keys, for the recomputation.
#include <algorithm>
#include <utility>

#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

Error UnknownVariant(const std::string& text) {
  return Error(kInternal, "a stored row has the unknown variant " + text);
}

Result<std::vector<RatingChange>> SelectChanges(sql::Transaction& tx, const std::string& where,
                                                const sql::Params& params) {
  const Result<sql::Rows> rows = tx.Execute(
      std::string("SELECT ") + kChangeColumns + " FROM rating_changes WHERE " + where, params);
  if (!rows) return rows.error();
  std::vector<RatingChange> changes;
  for (const sql::Row& row : *rows) {
    if (!rules::FindVariant(row.Text(2))) return UnknownVariant(row.Text(2));
    changes.push_back(ChangeFrom(row));
  }
  return changes;
}

}  // namespace

Result<std::vector<RecordedGame>> SelectGames(sql::Transaction& tx, const std::string& after_id,
                                              std::int64_t limit) {
  const Result<sql::Rows> rows =
      tx.Execute(std::string("SELECT ") + kGameColumns +
                     " FROM rated_games WHERE game_id > $1 ORDER BY game_id LIMIT $2",
                 {after_id, limit});
  if (!rows) return rows.error();
  std::vector<RecordedGame> games;
  for (const sql::Row& row : *rows) {
    if (!rules::FindVariant(row.Text(1))) return UnknownVariant(row.Text(1));
    games.push_back(GameFrom(row));
  }
  if (games.empty()) return games;
  Result<std::vector<RatingChange>> changes = SelectChanges(
      tx, "game_id > $1 AND game_id <= $2 ORDER BY game_id", {after_id, games.back().id});
  if (!changes) return std::move(changes).error();
  auto game = games.begin();
  for (RatingChange& change : *changes) {
    while (game != games.end() && game->id < change.game_id) ++game;
    // A change without its game cannot be: the schema has a foreign key.
    if (game != games.end() && game->id == change.game_id) {
      game->changes.push_back(std::move(change));
    }
  }
  return games;
}

Result<StoredStanding> SelectStored(sql::Transaction& tx, const std::string& player_id,
                                    rules::Variant variant) {
  StoredStanding stored;
  stored.player_id = player_id;
  stored.variant = variant;
  const Result<sql::Rows> rows =
      tx.Execute(std::string("SELECT ") + kStandingColumns +
                     ", ranked FROM ratings WHERE player_id = $1 AND variant = $2",
                 {player_id, rules::VariantName(variant)});
  if (!rows) return rows.error();
  if (!rows->empty()) {
    stored.standing = StandingFrom((*rows)[0]);
    stored.ranked = (*rows)[0].Int(7) != 0;
  }
  Result<std::vector<RatingChange>> history =
      SelectChanges(tx, "player_id = $1 AND variant = $2 ORDER BY number",
                    {player_id, rules::VariantName(variant)});
  if (!history) return std::move(history).error();
  stored.history = *std::move(history);
  return stored;
}

Result<std::vector<StoredStanding>> SelectStandings(sql::Transaction& tx,
                                                    const StandingCursor& after,
                                                    std::int64_t limit) {
  // Players with a standing or a history; both tables have (player_id, variant) first in their
  // keys.
  const Result<sql::Rows> rows = tx.Execute(
      "SELECT player_id, variant FROM (SELECT player_id, variant FROM ratings "
      "WHERE (player_id, variant) > ($1, $2) ORDER BY player_id, variant LIMIT $3) AS rated "
      "UNION SELECT player_id, variant FROM (SELECT DISTINCT player_id, variant "
      "FROM rating_changes WHERE (player_id, variant) > ($1, $2) "
      "ORDER BY player_id, variant LIMIT $3) AS played "
      "ORDER BY player_id, variant LIMIT $3",
      {after.player_id, after.variant, limit});
  if (!rows) return rows.error();
  std::vector<StoredStanding> page;
  for (const sql::Row& row : *rows) {
    const std::optional<rules::Variant> variant = rules::FindVariant(row.Text(1));
    if (!variant) return UnknownVariant(row.Text(1));
    Result<StoredStanding> stored = SelectStored(tx, row.Text(0), *variant);
    if (!stored) return std::move(stored).error();
    page.push_back(*std::move(stored));
  }
  return page;
}

}  // namespace komadai::rating
