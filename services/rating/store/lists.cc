#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

constexpr std::int64_t kNoNumber = INT64_MAX;

std::string EntryColumns() {
  return "p.player_id, p.name, p.kind, p.created_at, r.rating, r.peak, r.wins, r.losses, "
         "r.draws, r.grade, r.grade_reached_at";
}

LeaderboardEntry EntryFrom(const sql::Row& row) {
  LeaderboardEntry entry;
  entry.player = PlayerFrom(row, 0);
  entry.standing = StandingFrom(row, 4);
  return entry;
}

// How many ranked players stand before (rating, player_id) in the order of the board.
Result<std::int64_t> CountBefore(sql::Transaction& tx, rules::Variant variant,
                                 const LeaderboardEntry& entry) {
  const Result<sql::Rows> rows = tx.Execute(
      "SELECT COUNT(*) FROM ratings WHERE variant = $1 AND ranked = 1 AND rating >= $2 "
      "AND (rating > $2 OR player_id < $3)",
      {rules::VariantName(variant), entry.standing.rating.milli_points, entry.player.id});
  if (!rows) return rows.error();
  return (*rows)[0].Int(0);
}

Result<std::int64_t> RankOf(sql::Transaction& tx, rules::Variant variant, elo::Rating rating) {
  const Result<sql::Rows> rows =
      tx.Execute("SELECT COUNT(*) FROM ratings WHERE variant = $1 AND ranked = 1 AND rating > $2",
                 {rules::VariantName(variant), rating.milli_points});
  if (!rows) return rows.error();
  return (*rows)[0].Int(0) + 1;
}

// Only the first entry's place is counted; the others follow from it.
Status NumberEntries(sql::Transaction& tx, rules::Variant variant,
                     std::vector<LeaderboardEntry>& entries) {
  if (entries.empty()) return Status();
  const Result<std::int64_t> before = CountBefore(tx, variant, entries.front());
  if (!before) return before.error();
  const Result<std::int64_t> rank = RankOf(tx, variant, entries.front().standing.rating);
  if (!rank) return rank.error();
  entries.front().rank = *rank;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const bool tied = entries[i].standing.rating == entries[i - 1].standing.rating;
    entries[i].rank = tied ? entries[i - 1].rank : *before + static_cast<std::int64_t>(i) + 1;
  }
  return Status();
}

Result<std::optional<LeaderboardEntry>> SelectOwn(sql::Transaction& tx, rules::Variant variant,
                                                  const std::string& own_id) {
  if (own_id.empty()) return std::optional<LeaderboardEntry>();
  const Result<sql::Rows> rows =
      tx.Execute("SELECT " + EntryColumns() +
                     " FROM ratings r JOIN players p ON p.player_id = r.player_id "
                     "WHERE r.player_id = $1 AND r.variant = $2 AND r.ranked = 1",
                 {own_id, rules::VariantName(variant)});
  if (!rows) return rows.error();
  if (rows->empty()) return std::optional<LeaderboardEntry>();
  LeaderboardEntry own = EntryFrom((*rows)[0]);
  const Result<std::int64_t> rank = RankOf(tx, variant, own.standing.rating);
  if (!rank) return rank.error();
  own.rank = *rank;
  return std::optional<LeaderboardEntry>(std::move(own));
}

}  // namespace

Result<HistoryPage> SelectHistory(sql::Transaction& tx, const std::string& player_id,
                                  rules::Variant variant, std::optional<std::int64_t> before,
                                  std::int64_t limit) {
  // One more than asked for tells whether there is a next page.
  const Result<sql::Rows> rows =
      tx.Execute(std::string("SELECT ") + kChangeColumns +
                     " FROM rating_changes WHERE player_id = $1 AND variant = $2 AND number < $3 "
                     "ORDER BY number DESC LIMIT $4",
                 {player_id, rules::VariantName(variant), before.value_or(kNoNumber), limit + 1});
  if (!rows) return rows.error();
  HistoryPage page;
  for (const sql::Row& row : *rows) page.changes.push_back(ChangeFrom(row));
  page.more = page.changes.size() > static_cast<std::size_t>(limit);
  if (page.more) page.changes.pop_back();
  return page;
}

Result<LeaderboardPage> SelectLeaderboard(sql::Transaction& tx, rules::Variant variant,
                                          const std::optional<LeaderboardCursor>& after,
                                          std::int64_t limit, const std::string& own_id) {
  const std::string select = "SELECT " + EntryColumns() +
                             " FROM ratings r JOIN players p ON p.player_id = r.player_id "
                             "WHERE r.variant = $1 AND r.ranked = 1";
  const std::string order = " ORDER BY r.rating DESC, r.player_id";
  const std::string_view name = rules::VariantName(variant);
  const Result<sql::Rows> rows =
      after ? tx.Execute(select + " AND r.rating <= $2 AND (r.rating < $2 OR r.player_id > $3)" +
                             order + " LIMIT $4",
                         {name, after->rating.milli_points, after->player_id, limit + 1})
            : tx.Execute(select + order + " LIMIT $2", {name, limit + 1});
  if (!rows) return rows.error();
  LeaderboardPage page;
  for (const sql::Row& row : *rows) page.entries.push_back(EntryFrom(row));
  page.more = page.entries.size() > static_cast<std::size_t>(limit);
  if (page.more) page.entries.pop_back();
  if (Status numbered = NumberEntries(tx, variant, page.entries); !numbered) {
    return numbered.error();
  }
  Result<std::optional<LeaderboardEntry>> own = SelectOwn(tx, variant, own_id);
  if (!own) return std::move(own).error();
  page.own = *std::move(own);
  return page;
}

}  // namespace komadai::rating
