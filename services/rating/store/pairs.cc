// What two players have played, what a rating has come through, and what was odd.
#include <algorithm>

#include "services/rating/store/tables.h"
#include "services/rating/store/transactions.h"

namespace komadai::rating {
namespace {

constexpr std::int64_t kDayMillis = 24LL * 60 * 60 * 1000;

}  // namespace

Result<HeadToHead> SelectHeadToHead(sql::Transaction& tx, const std::string& player_id,
                                    const std::string& opponent_id, rules::Variant variant) {
  const Result<sql::Rows> rows = tx.Execute(
      "SELECT score, COUNT(*) FROM rating_changes WHERE player_id = $1 AND opponent_id = $2 "
      "AND variant = $3 GROUP BY score",
      {player_id, opponent_id, rules::VariantName(variant)});
  if (!rows) return rows.error();
  HeadToHead between;
  for (const sql::Row& row : *rows) {
    const elo::Score score{row.Int(0)};
    if (score == elo::kWin) between.wins = row.Int(1);
    if (score == elo::kLoss) between.losses = row.Int(1);
    if (score == elo::kDraw) between.draws = row.Int(1);
  }
  return between;
}

Result<std::vector<TimePoint>> SelectPairGames(sql::Transaction& tx, const std::string& player_id,
                                               const std::string& opponent_id, TimePoint since,
                                               std::int64_t limit) {
  const Result<sql::Rows> rows = tx.Execute(
      "SELECT at FROM rating_changes WHERE player_id = $1 AND opponent_id = $2 AND at > $3 "
      "ORDER BY at DESC LIMIT $4",
      {player_id, opponent_id, ToUnixMillis(since), limit});
  if (!rows) return rows.error();
  std::vector<TimePoint> ends;
  for (const sql::Row& row : *rows) ends.push_back(FromUnixMillis(row.Int(0)));
  return ends;
}

Result<std::vector<ChartPoint>> SelectChart(sql::Transaction& tx, const std::string& player_id,
                                            rules::Variant variant, std::int64_t limit) {
  const Result<sql::Rows> rows = tx.Execute(
      "SELECT at, after_rating, number FROM (SELECT at, after_rating, number, ROW_NUMBER() OVER "
      "(PARTITION BY at / " +
          std::to_string(kDayMillis) +
          " ORDER BY number DESC) AS place FROM rating_changes "
          "WHERE player_id = $1 AND variant = $2) AS days WHERE place = 1 "
          "ORDER BY number DESC LIMIT $3",
      {player_id, rules::VariantName(variant), limit});
  if (!rows) return rows.error();
  std::vector<ChartPoint> points;
  for (const sql::Row& row : *rows) {
    points.push_back({FromUnixMillis(row.Int(0)), elo::Rating{row.Int(1)}, row.Int(2)});
  }
  std::reverse(points.begin(), points.end());
  return points;
}

Status InsertSignal(sql::Transaction& tx, const RatingSignal& signal) {
  const Result<sql::Rows> rows =
      tx.Execute(std::string("INSERT INTO rating_signals (") + kSignalColumns +
                     ") VALUES ($1, $2, $3, $4, $5, $6)",
                 {signal.player_id, signal.game_id, SignalName(signal.kind),
                  rules::VariantName(signal.variant), signal.opponent_id, ToUnixMillis(signal.at)});
  if (!rows) return rows.error();
  return Status();
}

Result<SignalPage> SelectSignals(sql::Transaction& tx, const std::string& player_id,
                                 const std::optional<SignalCursor>& after, std::int64_t limit) {
  const std::string select =
      std::string("SELECT ") + kSignalColumns + " FROM rating_signals WHERE player_id = $1";
  const std::string order = " ORDER BY at DESC, game_id DESC, kind DESC";
  const Result<sql::Rows> rows =
      after
          ? tx.Execute(select + " AND (at, game_id, kind) < ($2, $3, $4)" + order + " LIMIT $5",
                       {player_id, ToUnixMillis(after->at), after->game_id, after->kind, limit + 1})
          : tx.Execute(select + order + " LIMIT $2", {player_id, limit + 1});
  if (!rows) return rows.error();
  SignalPage page;
  for (const sql::Row& row : *rows) page.signals.push_back(SignalFrom(row));
  page.more = page.signals.size() > static_cast<std::size_t>(limit);
  if (page.more) page.signals.pop_back();
  return page;
}

}  // namespace komadai::rating
