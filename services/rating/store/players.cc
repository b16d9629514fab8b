#include "services/rating/errors.h"
#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

std::string VariantText(rules::Variant variant) { return std::string(VariantName(variant)); }

}  // namespace

Result<Player> InsertPlayer(sql::Transaction& tx, const Player& player) {
  const Result<sql::Rows> inserted =
      tx.Execute("INSERT INTO players (player_id, name, kind, created_at) VALUES ($1, $2, $3, $4)",
                 {player.id, player.name, KindName(player.kind), ToUnixMillis(player.created_at)});
  if (!inserted) return inserted.error();
  return player;
}

Result<Player> FindOrInsertAccount(sql::Transaction& tx, const std::string& account,
                                   const Player& candidate) {
  const Result<sql::Rows> inserted = tx.Execute(
      "INSERT INTO players (player_id, account, name, kind, created_at) "
      "VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account) DO NOTHING",
      {candidate.id, account, candidate.name, KindName(candidate.kind),
       ToUnixMillis(candidate.created_at)});
  if (!inserted) return inserted.error();
  const Result<sql::Rows> rows = tx.Execute(
      std::string("SELECT ") + kPlayerColumns + " FROM players WHERE account = $1", {account});
  if (!rows) return rows.error();
  return PlayerFrom((*rows)[0]);
}

Result<Profile> SelectProfile(sql::Transaction& tx, const std::string& player_id) {
  const Result<sql::Rows> players = tx.Execute(
      std::string("SELECT ") + kPlayerColumns + " FROM players WHERE player_id = $1", {player_id});
  if (!players) return players.error();
  if (players->empty()) {
    return Error(kPlayerNotFound, "there is no such player", {{"player_id", player_id}});
  }
  const Result<sql::Rows> ratings = tx.Execute(
      std::string("SELECT variant, ") + kStandingColumns + " FROM ratings WHERE player_id = $1",
      {player_id});
  if (!ratings) return ratings.error();
  Profile profile;
  profile.player = PlayerFrom((*players)[0]);
  for (const rules::Variant variant : rules::kVariants) {
    for (const sql::Row& row : *ratings) {
      if (row.Text(0) == VariantName(variant)) {
        profile.ratings.push_back({variant, StandingFrom(row, 1)});
      }
    }
  }
  return profile;
}

Result<Standing> SelectStanding(sql::Transaction& tx, const std::string& player_id,
                                rules::Variant variant) {
  const Result<sql::Rows> rows =
      tx.Execute(std::string("SELECT ") + kStandingColumns +
                     " FROM ratings WHERE player_id = $1 AND variant = $2",
                 {player_id, VariantText(variant)});
  if (!rows) return rows.error();
  return rows->empty() ? Standing() : StandingFrom((*rows)[0]);
}

Result<std::int64_t> DeleteGuests(sql::Transaction& tx, TimePoint created_before,
                                  std::int64_t limit) {
  // Guests have no rated games, so nothing refers to them.
  const Result<sql::Rows> deleted = tx.Execute(
      "DELETE FROM players WHERE player_id IN (SELECT player_id FROM players "
      "WHERE kind = 'guest' AND created_at < $1 ORDER BY created_at LIMIT $2)",
      {ToUnixMillis(created_before), limit});
  if (!deleted) return deleted.error();
  return deleted->affected();
}

}  // namespace komadai::rating
