// KifuStore: the archive in PostgreSQL or SQLite.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/sql/database.h"
#include "libs/sql/schema.h"
#include "services/kifu/domain/entry.h"

namespace komadai::kifu {

// Which game: one of the two is set.
struct Key {
  std::string kifu_id;
  std::string game_id;
};

struct Page {
  std::vector<Entry> entries;  // without records and visits
  bool more = false;
};

enum class ExploredGames { kAll, kRated };

struct Exploration {
  std::vector<Explored> moves;  // most played first, at most 100
  std::int64_t games = 0;
};

// Thread-safe. Each method is one transaction. Migrates the schema before the first use.
class KifuStore {
 public:
  // `time` must outlive the store.
  KifuStore(std::shared_ptr<sql::Database> database, const TimeSource& time);

  // Whether the database answers and has the tables.
  Task<Status> Check(TimePoint deadline);

  // Stores all entries or none. An entry whose id exists already counts as stored if its record is
  // the same, else GAME_STORED_DIFFERENTLY. May be repeated.
  Task<Status> Put(std::vector<Entry> entries, TimePoint deadline);
  // KIFU_NOT_FOUND. Without visits.
  Task<Result<Entry>> Get(Key key, TimePoint deadline);
  // Newest first, beginning after `after`.
  Task<Result<Page>> Search(Query query, std::optional<Cursor> after, std::int64_t limit,
                            TimePoint deadline);
  Task<Result<Exploration>> Explore(rules::Variant variant, std::int64_t position_key,
                                    ExploredGames which, TimePoint deadline);

 private:
  template <typename Fn>
  auto Run(sql::Access access, TimePoint deadline, Fn work)
      -> Task<std::invoke_result_t<Fn&, sql::Transaction&>>;

  const std::shared_ptr<sql::Database> database_;
  sql::Schema schema_;
};

}  // namespace komadai::kifu
