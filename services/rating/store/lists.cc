#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

constexpr std::int64_t kNoNumber = INT64_MAX;
// Five points: of a million players a few thousand are in the fullest one.
constexpr std::int64_t kBucketWidth = 5'000;

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

std::int64_t BucketOf(elo::Rating rating) { return rating.milli_points / kBucketWidth; }

// The highest rating of a bucket; division cuts towards zero.
std::int64_t TopOf(std::int64_t bucket) {
  return bucket >= 0 ? bucket * kBucketWidth + kBucketWidth - 1 : bucket * kBucketWidth;
}

Result<std::int64_t> Count(sql::Transaction& tx, const char* where, sql::Params params) {
  const Result<sql::Rows> rows = tx.Execute(
      std::string("SELECT COUNT(*) FROM ratings WHERE variant = $1 AND ranked = 1 AND ") + where,
      params);
  if (!rows) return rows.error();
  return (*rows)[0].Int(0);
}

// How many ranked players have a higher rating.
Result<std::int64_t> CountAbove(sql::Transaction& tx, rules::Variant variant, elo::Rating rating,
                                const Spread* spread) {
  const std::string_view name = rules::VariantName(variant);
  if (spread == nullptr || spread->players < kLargeBoard) {
    return Count(tx, "rating > $2", {name, rating.milli_points});
  }
  const std::int64_t own_bucket = BucketOf(rating);
  std::int64_t above = 0;
  for (const Spread::Step& step : spread->steps) {
    if (step.bucket > own_bucket) above += step.players;
  }
  const Result<std::int64_t> near =
      Count(tx, "rating > $2 AND rating <= $3", {name, rating.milli_points, TopOf(own_bucket)});
  if (!near) return near.error();
  return above + *near;
}

// Only the first entry's place is counted; the others follow from it.
Status NumberEntries(sql::Transaction& tx, rules::Variant variant,
                     std::vector<LeaderboardEntry>& entries, const Spread* spread) {
  if (entries.empty()) return Status();
  const LeaderboardEntry& top = entries.front();
  const Result<std::int64_t> above = CountAbove(tx, variant, top.standing.rating, spread);
  if (!above) return above.error();
  // Those of the same rating who stand before the first entry are on the page before.
  const Result<std::int64_t> tied_before =
      Count(tx, "rating = $2 AND player_id < $3",
            {rules::VariantName(variant), top.standing.rating.milli_points, top.player.id});
  if (!tied_before) return tied_before.error();
  entries.front().rank = *above + 1;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    const bool tied = entries[i].standing.rating == entries[i - 1].standing.rating;
    entries[i].rank =
        tied ? entries[i - 1].rank : *above + *tied_before + static_cast<std::int64_t>(i) + 1;
  }
  return Status();
}

Result<std::optional<LeaderboardEntry>> SelectOwn(sql::Transaction& tx, rules::Variant variant,
                                                  const std::string& own_id, const Spread* spread) {
  if (own_id.empty()) return std::optional<LeaderboardEntry>();
  const Result<sql::Rows> rows =
      tx.Execute("SELECT " + EntryColumns() +
                     " FROM ratings r JOIN players p ON p.player_id = r.player_id "
                     "WHERE r.player_id = $1 AND r.variant = $2 AND r.ranked = 1",
                 {own_id, rules::VariantName(variant)});
  if (!rows) return rows.error();
  if (rows->empty()) return std::optional<LeaderboardEntry>();
  LeaderboardEntry own = EntryFrom((*rows)[0]);
  const Result<std::int64_t> above = CountAbove(tx, variant, own.standing.rating, spread);
  if (!above) return above.error();
  own.rank = *above + 1;
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
                                          std::int64_t limit, const std::string& own_id,
                                          const Spread* spread) {
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
  if (Status numbered = NumberEntries(tx, variant, page.entries, spread); !numbered) {
    return numbered.error();
  }
  Result<std::optional<LeaderboardEntry>> own = SelectOwn(tx, variant, own_id, spread);
  if (!own) return std::move(own).error();
  page.own = *std::move(own);
  return page;
}

Result<Spread> SelectSpread(sql::Transaction& tx, rules::Variant variant, TimePoint now) {
  const Result<sql::Rows> rows =
      tx.Execute("SELECT rating / " + std::to_string(kBucketWidth) +
                     " AS bucket, COUNT(*) FROM ratings WHERE variant = $1 AND ranked = 1 "
                     "GROUP BY 1 ORDER BY 1 DESC",
                 {rules::VariantName(variant)});
  if (!rows) return rows.error();
  Spread spread;
  spread.at = now;
  for (const sql::Row& row : *rows) {
    spread.steps.push_back({row.Int(0), row.Int(1)});
    spread.players += row.Int(1);
  }
  return spread;
}

}  // namespace komadai::rating
