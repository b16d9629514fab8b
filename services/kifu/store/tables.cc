#include "services/kifu/store/tables.h"

namespace komadai::kifu {
namespace {

// Outcomes and endings are the numbers of the contract, times Unix milliseconds. The players and
// the positions of a game have rows of their own, so that searching by them never scans games.
constexpr char kInit[] = R"sql(
CREATE TABLE kifus (
  kifu_id TEXT COLLATE "C" PRIMARY KEY,
  game_id TEXT COLLATE "C" UNIQUE,
  variant TEXT COLLATE "C" NOT NULL,
  first_id TEXT COLLATE "C" NOT NULL,
  second_id TEXT COLLATE "C" NOT NULL,
  first_name TEXT NOT NULL,
  second_name TEXT NOT NULL,
  outcome BIGINT NOT NULL,
  ending BIGINT NOT NULL,
  plies BIGINT NOT NULL,
  rated BIGINT NOT NULL,
  ended_at BIGINT NOT NULL,
  stored_at BIGINT NOT NULL,
  record BYTEA NOT NULL
);
CREATE INDEX kifus_newest ON kifus (ended_at DESC, kifu_id DESC);
CREATE INDEX kifus_newest_of_variant ON kifus (variant, ended_at DESC, kifu_id DESC);

CREATE TABLE kifu_players (
  kifu_id TEXT COLLATE "C" NOT NULL REFERENCES kifus (kifu_id),
  side BIGINT NOT NULL,
  player_id TEXT COLLATE "C" NOT NULL,
  folded_name TEXT COLLATE "C" NOT NULL,
  PRIMARY KEY (kifu_id, side)
);
CREATE INDEX kifu_players_by_id ON kifu_players (player_id, kifu_id);
CREATE INDEX kifu_players_by_name ON kifu_players (folded_name, kifu_id);

CREATE TABLE kifu_positions (
  variant TEXT COLLATE "C" NOT NULL,
  position_key BIGINT NOT NULL,
  kifu_id TEXT COLLATE "C" NOT NULL REFERENCES kifus (kifu_id),
  ply BIGINT NOT NULL,
  move TEXT NOT NULL,
  PRIMARY KEY (variant, position_key, kifu_id, ply)
);
)sql";

}  // namespace

std::vector<sql::Migration> KifuMigrations() { return {{1, "init", kInit}}; }

Entry SummaryFrom(const sql::Row& row) {
  Entry entry;
  entry.kifu_id = row.Text(0);
  if (!row.IsNull(1)) entry.game_id = row.Text(1);
  entry.variant = rules::FindVariant(row.Text(2)).value_or(rules::Variant::kShogi);
  entry.first_id = row.Text(3);
  entry.second_id = row.Text(4);
  entry.first_name = row.Text(5);
  entry.second_name = row.Text(6);
  entry.outcome = static_cast<int>(row.Int(7));
  entry.ending = static_cast<int>(row.Int(8));
  entry.plies = static_cast<int>(row.Int(9));
  entry.rated = row.Int(10) != 0;
  entry.ended_at = FromUnixMillis(row.Int(11));
  entry.stored_at = FromUnixMillis(row.Int(12));
  return entry;
}

}  // namespace komadai::kifu
