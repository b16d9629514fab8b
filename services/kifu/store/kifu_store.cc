#include "services/kifu/store/kifu_store.h"

#include <algorithm>
#include <utility>

#include "services/kifu/errors.h"
#include "services/kifu/store/tables.h"

namespace komadai::kifu {
namespace {

constexpr std::size_t kVisitsPerStatement = 100;  // of 5 parameters each: well below every limit
constexpr int kMaxExplored = 100;

std::optional<std::string> OrNull(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// Whether the entry is new; GAME_STORED_DIFFERENTLY if another record is stored under its id.
Result<bool> InsertGame(sql::Transaction& tx, const Entry& entry) {
  const Result<sql::Rows> inserted = tx.Execute(
      "INSERT INTO kifus (kifu_id, game_id, variant, first_id, second_id, first_name, "
      "second_name, outcome, ending, plies, rated, ended_at, stored_at, record) "
      "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) "
      "ON CONFLICT DO NOTHING RETURNING kifu_id",
      {entry.kifu_id, OrNull(entry.game_id), rules::VariantName(entry.variant), entry.first_id,
       entry.second_id, entry.first_name, entry.second_name, entry.outcome, entry.ending,
       entry.plies, entry.rated ? 1 : 0, ToUnixMillis(entry.ended_at),
       ToUnixMillis(entry.stored_at), sql::Bytes{entry.record}});
  if (!inserted) return inserted.error();
  if (!inserted->empty()) return true;
  const Result<sql::Rows> existing =
      tx.Execute("SELECT record FROM kifus WHERE kifu_id = $1", {entry.kifu_id});
  if (!existing) return existing.error();
  if (existing->empty() || (*existing)[0].Blob(0) != entry.record) {
    return Error(kStoredDifferently, "another record is stored under this id",
                 {{"kifu", entry.kifu_id}, {"game", entry.game_id}});
  }
  return false;
}

Status InsertPlayers(sql::Transaction& tx, const Entry& entry) {
  const Result<sql::Rows> inserted = tx.Execute(
      "INSERT INTO kifu_players (kifu_id, side, player_id, folded_name) "
      "VALUES ($1, 0, $2, $3), ($1, 1, $4, $5)",
      {entry.kifu_id, entry.first_id, FoldName(entry.first_name), entry.second_id,
       FoldName(entry.second_name)});
  if (!inserted) return inserted.error();
  return {};
}

Status InsertVisits(sql::Transaction& tx, const Entry& entry) {
  for (std::size_t from = 0; from < entry.visits.size(); from += kVisitsPerStatement) {
    const std::size_t until = std::min(entry.visits.size(), from + kVisitsPerStatement);
    std::string statement =
        "INSERT INTO kifu_positions (variant, position_key, kifu_id, ply, move) VALUES ";
    sql::Params params{rules::VariantName(entry.variant), entry.kifu_id};
    for (std::size_t i = from; i < until; ++i) {
      const std::size_t next = params.size() + 1;
      statement += (i == from ? "($1, $" : ", ($1, $") + std::to_string(next) + ", $2, $" +
                   std::to_string(next + 1) + ", $" + std::to_string(next + 2) + ")";
      params.emplace_back(entry.visits[i].position_key);
      params.emplace_back(entry.visits[i].ply);
      params.emplace_back(entry.visits[i].move);
    }
    const Result<sql::Rows> inserted = tx.Execute(statement, params);
    if (!inserted) return inserted.error();
  }
  return {};
}

Status InsertAll(sql::Transaction& tx, const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    const Result<bool> fresh = InsertGame(tx, entry);
    if (!fresh) return fresh.error();
    if (!*fresh) continue;
    if (Status players = InsertPlayers(tx, entry); !players) return players;
    if (Status visits = InsertVisits(tx, entry); !visits) return visits;
  }
  return {};
}

Result<Entry> SelectEntry(sql::Transaction& tx, const Key& key) {
  const std::string where = key.kifu_id.empty() ? "k.game_id = $1" : "k.kifu_id = $1";
  const Result<sql::Rows> rows = tx.Execute(
      std::string("SELECT ") + kSummaryColumns + ", k.record FROM kifus k WHERE " + where,
      {key.kifu_id.empty() ? key.game_id : key.kifu_id});
  if (!rows) return rows.error();
  if (rows->empty()) return Error(kKifuNotFound, "the archive has no such game");
  Entry entry = SummaryFrom((*rows)[0]);
  entry.record = (*rows)[0].Blob(kSummaryColumnCount);
  return entry;
}

// A WHERE clause that grows with its parameters.
class Where {
 public:
  // The placeholder of a new parameter.
  std::string Param(sql::Value value) {
    params_.push_back(std::move(value));
    return "$" + std::to_string(params_.size());
  }
  void And(const std::string& condition) {
    clause_ += (clause_.empty() ? " WHERE " : " AND ") + condition;
  }
  const std::string& clause() const { return clause_; }
  const sql::Params& params() const { return params_; }

 private:
  std::string clause_;
  sql::Params params_;
};

// A text after every name that begins with `prefix`: no name contains the last code point.
std::string AfterPrefix(const std::string& prefix) { return prefix + "\xF4\x8F\xBF\xBF"; }

Where Conditions(const Query& query, const std::optional<Cursor>& after) {
  Where where;
  if (query.variant) {
    where.And("k.variant = " + where.Param(rules::VariantName(*query.variant)));
  }
  if (query.outcome != 0) where.And("k.outcome = " + where.Param(query.outcome));
  if (query.ending != 0) where.And("k.ending = " + where.Param(query.ending));
  if (query.rated_only) where.And("k.rated = 1");
  if (query.from) where.And("k.ended_at >= " + where.Param(ToUnixMillis(*query.from)));
  if (query.until) where.And("k.ended_at < " + where.Param(ToUnixMillis(*query.until)));
  if (!query.player_id.empty()) {
    where.And("k.kifu_id IN (SELECT p.kifu_id FROM kifu_players p WHERE p.player_id = " +
              where.Param(query.player_id) + ")");
  }
  if (!query.name_prefix.empty()) {
    const std::string from = where.Param(query.name_prefix);
    const std::string until = where.Param(AfterPrefix(query.name_prefix));
    where.And("k.kifu_id IN (SELECT p.kifu_id FROM kifu_players p WHERE p.folded_name >= " + from +
              " AND p.folded_name < " + until + ")");
  }
  if (query.position_key && query.variant) {
    const std::string variant = where.Param(rules::VariantName(*query.variant));
    const std::string key = where.Param(*query.position_key);
    where.And("k.kifu_id IN (SELECT v.kifu_id FROM kifu_positions v WHERE v.variant = " + variant +
              " AND v.position_key = " + key + ")");
  }
  if (after) {
    const std::string ended_at = where.Param(ToUnixMillis(after->ended_at));
    const std::string kifu_id = where.Param(after->kifu_id);
    where.And("(k.ended_at, k.kifu_id) < (" + ended_at + ", " + kifu_id + ")");
  }
  return where;
}

Result<Page> SelectPage(sql::Transaction& tx, const Query& query,
                        const std::optional<Cursor>& after, std::int64_t limit) {
  Where where = Conditions(query, after);
  const std::string one_more = where.Param(limit + 1);
  const Result<sql::Rows> rows =
      tx.Execute(std::string("SELECT ") + kSummaryColumns + " FROM kifus k" + where.clause() +
                     " ORDER BY k.ended_at DESC, k.kifu_id DESC LIMIT " + one_more,
                 where.params());
  if (!rows) return rows.error();
  Page page;
  for (const sql::Row& row : *rows) page.entries.push_back(SummaryFrom(row));
  page.more = page.entries.size() > static_cast<std::size_t>(limit);
  if (page.more) page.entries.pop_back();
  return page;
}

Result<Exploration> SelectExploration(sql::Transaction& tx, rules::Variant variant,
                                      std::int64_t position_key, ExploredGames which) {
  // A game that passed through the position twice counts once for each move played there.
  const std::string from =
      " FROM (SELECT DISTINCT kifu_id, move FROM kifu_positions WHERE variant = $1 AND "
      "position_key = $2) v JOIN kifus k ON k.kifu_id = v.kifu_id" +
      std::string(which == ExploredGames::kRated ? " WHERE k.rated = 1" : "");
  const Result<sql::Rows> moves = tx.Execute(
      "SELECT v.move, COUNT(*), SUM(CASE WHEN k.outcome = 1 THEN 1 ELSE 0 END), "
      "SUM(CASE WHEN k.outcome = 2 THEN 1 ELSE 0 END), "
      "SUM(CASE WHEN k.outcome = 3 THEN 1 ELSE 0 END)" +
          from + " GROUP BY v.move ORDER BY COUNT(*) DESC, v.move LIMIT " +
          std::to_string(kMaxExplored + 1),
      {rules::VariantName(variant), position_key});
  if (!moves) return moves.error();
  const Result<sql::Rows> games = tx.Execute("SELECT COUNT(DISTINCT v.kifu_id)" + from,
                                             {rules::VariantName(variant), position_key});
  if (!games) return games.error();
  Exploration exploration;
  exploration.games = (*games)[0].Int(0);
  for (const sql::Row& row : *moves) {
    if (row.Text(0).empty() || exploration.moves.size() == kMaxExplored) continue;  // ended here
    exploration.moves.push_back({row.Text(0), row.Int(1), row.Int(2), row.Int(3), row.Int(4)});
  }
  return exploration;
}

}  // namespace

KifuStore::KifuStore(std::shared_ptr<sql::Database> database, const TimeSource& time)
    : database_(std::move(database)), schema_(*database_, "kifu", KifuMigrations(), time) {}

template <typename Fn>
auto KifuStore::Run(sql::Access access, TimePoint deadline, Fn work)
    -> Task<std::invoke_result_t<Fn&, sql::Transaction&>> {
  Status ready = co_await schema_.Ensure();
  if (!ready) co_return std::move(ready).error();
  co_return co_await sql::Transact(*database_, access, deadline, std::move(work));
}

Task<Status> KifuStore::Check(TimePoint deadline) { return schema_.Check(deadline); }

Task<Status> KifuStore::Put(std::vector<Entry> entries, TimePoint deadline) {
  return Run(sql::Access::kWrite, deadline, [entries = std::move(entries)](sql::Transaction& tx) {
    return InsertAll(tx, entries);
  });
}

Task<Result<Entry>> KifuStore::Get(Key key, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline,
             [key](sql::Transaction& tx) { return SelectEntry(tx, key); });
}

Task<Result<Page>> KifuStore::Search(Query query, std::optional<Cursor> after, std::int64_t limit,
                                     TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [query, after, limit](sql::Transaction& tx) {
    return SelectPage(tx, query, after, limit);
  });
}

Task<Result<Exploration>> KifuStore::Explore(rules::Variant variant, std::int64_t position_key,
                                             ExploredGames which, TimePoint deadline) {
  return Run(sql::Access::kRead, deadline, [variant, position_key, which](sql::Transaction& tx) {
    return SelectExploration(tx, variant, position_key, which);
  });
}

}  // namespace komadai::kifu
