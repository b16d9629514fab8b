#include "libs/livestore/sqlite_live_store.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "libs/livestore/sqlite_commit.h"
#include "libs/livestore/topics.h"
#include "libs/livestore/validation.h"
#include "libs/sql/errors.h"
#include "libs/sql/migrations.h"

namespace komadai::livestore {
namespace {

using sql::Access;
using sql::Bytes;

// A local disk that needs longer is as good as away.
constexpr Millis kPatience{5000};

// The contract's reasons for those of libs/sql.
Error Translate(const Error& error) {
  if (error.Is(sql::kCommitInDoubt)) return Error{kInDoubt, error.message()};
  if (error.Is(kOverloaded) || error.Is(kUnavailable) || error.Is(kInvalidTransaction)) {
    return error;
  }
  if (error.Is(sql::kStoreUnavailable) || error.Is(kDeadlinePassed)) {
    return Error{kUnavailable, error.message()};
  }
  return Error{kInternal, "SQLite: " + error.ToString()};
}

Result<Version> GreatestVersion(sql::Transaction& tx) {
  Result<sql::Rows> rows =
      tx.Execute("SELECT CAST(COALESCE(MAX(version), 0) AS BIGINT) FROM live_documents");
  if (!rows) return std::move(rows).error();
  return (*rows)[0].Int(0);
}

Result<std::vector<IndexEntry>> SelectIndex(sql::Transaction& tx, const IndexQuery& query) {
  // Every entry is behind a name that is empty, as none is.
  const IndexEntry after = query.after && query.after->score >= query.min_score
                               ? *query.after
                               : IndexEntry{"", query.min_score};
  Result<sql::Rows> rows = tx.Execute(
      "SELECT name, score FROM live_index WHERE partition = $1 AND index_name = $2 "
      "AND (score, name) > ($3, $4) AND score <= $5 ORDER BY score, name LIMIT $6",
      {query.partition, Bytes{query.index}, after.score, Bytes{after.name}, query.max_score,
       ClampPage(query.limit)});
  if (!rows) return std::move(rows).error();
  std::vector<IndexEntry> entries;
  for (const sql::Row& row : *rows) entries.push_back({row.Blob(0), row.Int(1)});
  return entries;
}

}  // namespace

Task<Result<std::unique_ptr<SqliteLiveStore>>> SqliteLiveStore::Open(sql::Database& database,
                                                                     const TimeSource& time) {
  const TimePoint now = time.Now();
  std::vector<sql::Migration> migrations = LiveStoreMigrations();
  Status migrated =
      co_await sql::Migrate(database, "livestore", std::move(migrations), now, now + kPatience);
  if (!migrated) co_return std::move(migrated).error();
  Result<Version> greatest =
      co_await sql::Transact(database, Access::kRead, time.Now() + kPatience, &GreatestVersion);
  if (!greatest) co_return Translate(greatest.error());
  const Version first = std::max<Version>(*greatest, ToUnixMillis(now) * 1000);
  co_return std::unique_ptr<SqliteLiveStore>(new SqliteLiveStore(database, time, first));
}

TimePoint SqliteLiveStore::Deadline() const { return time_.Now() + kPatience; }

template <typename Fn>
auto SqliteLiveStore::Read(Fn work) {
  return sql::Transact(database_, Access::kRead, Deadline(), std::move(work));
}

// Publishes in the database's callback, since that comes in the order of the commits, while the
// coroutine that waits for it may resume on any thread.
void SqliteLiveStore::RunAndPublish(sql::Work work, std::shared_ptr<CommitAttempt> attempt,
                                    sql::Done done) {
  auto publish = [hub = hub_, attempt = std::move(attempt), done = std::move(done)](Status status) {
    if (status) {
      for (auto& [topic, notification] : attempt->notifications) {
        if (notification.kind == Notification::Kind::kResync) {
          hub->Resync(topic);
        } else {
          hub->Publish(std::move(topic), std::move(notification));
        }
      }
      hub->Deliver();
    }
    done(std::move(status));
  };
  database_.Run(Access::kWrite, Deadline(), std::move(work), std::move(publish));
}

Task<Result<CommitOutcome>> SqliteLiveStore::Commit(Transaction transaction) {
  if (Status valid = Validate(transaction); !valid) co_return std::move(valid).error();
  auto attempt = std::make_shared<CommitAttempt>();
  sql::Work work = [this, attempt, &transaction](sql::Transaction& tx) -> Status {
    Result<CommitAttempt> run = RunCommit(tx, transaction, time_.Now(), ++last_version_);
    if (!run) return std::move(run).error();
    *attempt = *std::move(run);
    return {};
  };
  Status status = co_await FromCallback<Status>(
      [this, &work, &attempt](auto done) { RunAndPublish(std::move(work), attempt, done); });
  if (!status) co_return Translate(status.error());
  co_return std::move(attempt->outcome);
}

Task<Result<std::optional<Document>>> SqliteLiveStore::Load(std::string partition,
                                                            std::string name) {
  std::vector<std::string> names{std::move(name)};
  Result<std::vector<std::optional<Document>>> documents =
      co_await LoadMany(std::move(partition), std::move(names));
  if (!documents) co_return std::move(documents).error();
  co_return std::move(documents->front());
}

Task<Result<std::vector<std::optional<Document>>>> SqliteLiveStore::LoadMany(
    std::string partition, std::vector<std::string> names) {
  if (Status valid = ValidateKeys(partition, names); !valid) co_return std::move(valid).error();
  using Documents = std::vector<std::optional<Document>>;
  auto work = [&partition, &names, now = time_.Now()](sql::Transaction& tx) -> Result<Documents> {
    Documents documents;
    for (const std::string& name : names) {
      Result<std::optional<StoredDocument>> found = FindDocument(tx, partition, name, now);
      if (!found) return std::move(found).error();
      documents.emplace_back();
      if (*found) documents.back() = std::move((*found)->document);
    }
    return documents;
  };
  Result<Documents> documents = co_await Read(std::move(work));
  if (!documents) co_return Translate(documents.error());
  co_return documents;
}

Task<Result<std::optional<DocumentWithJournal>>> SqliteLiveStore::LoadWithJournal(
    std::string partition, std::string name, Sequence after_sequence, std::int64_t limit) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  using Loaded = std::optional<DocumentWithJournal>;
  auto work = [&partition, &name, after_sequence, limit,
               now = time_.Now()](sql::Transaction& tx) -> Result<Loaded> {
    Result<std::optional<StoredDocument>> found = FindDocument(tx, partition, name, now);
    if (!found) return std::move(found).error();
    if (!*found) return Loaded();
    Result<std::vector<Event>> events = ReadEvents(tx, (*found)->id, after_sequence, limit);
    if (!events) return std::move(events).error();
    return Loaded(DocumentWithJournal{std::move((*found)->document), *std::move(events)});
  };
  Result<Loaded> loaded = co_await Read(std::move(work));
  if (!loaded) co_return Translate(loaded.error());
  co_return loaded;
}

Task<Result<JournalPage>> SqliteLiveStore::ReadJournal(std::string partition, std::string name,
                                                       Sequence after_sequence,
                                                       std::int64_t limit) {
  Result<std::optional<DocumentWithJournal>> loaded =
      co_await LoadWithJournal(std::move(partition), std::move(name), after_sequence, limit);
  if (!loaded) co_return std::move(loaded).error();
  if (!*loaded) co_return JournalPage();
  co_return JournalPage{std::move((*loaded)->events), (*loaded)->document.last_sequence};
}

Task<Result<std::vector<IndexEntry>>> SqliteLiveStore::ReadIndex(IndexQuery query) {
  if (Status valid = Validate(query); !valid) co_return std::move(valid).error();
  auto work = [&query](sql::Transaction& tx) { return SelectIndex(tx, query); };
  Result<std::vector<IndexEntry>> entries = co_await Read(std::move(work));
  if (!entries) co_return Translate(entries.error());
  co_return entries;
}

Task<Result<std::int64_t>> SqliteLiveStore::CountIndex(std::string partition, std::string index,
                                                       std::int64_t min_score,
                                                       std::int64_t max_score) {
  if (Status valid = ValidateKey(partition, index); !valid) co_return std::move(valid).error();
  if (Status valid = ValidateScores(min_score, max_score); !valid) {
    co_return std::move(valid).error();
  }
  auto work = [&](sql::Transaction& tx) -> Result<std::int64_t> {
    Result<sql::Rows> rows = tx.Execute(
        "SELECT COUNT(*) FROM live_index "
        "WHERE partition = $1 AND index_name = $2 AND score >= $3 AND score <= $4",
        {partition, Bytes{index}, min_score, max_score});
    if (!rows) return std::move(rows).error();
    return (*rows)[0].Int(0);
  };
  Result<std::int64_t> count = co_await Read(std::move(work));
  if (!count) co_return Translate(count.error());
  co_return count;
}

std::unique_ptr<Subscription> SqliteLiveStore::Subscribe(std::string partition, std::string name,
                                                         NotificationHandler handler) {
  auto subscription = hub_->Add(DocumentTopic(partition, name), std::move(handler));
  hub_->Deliver();
  return subscription;
}

std::unique_ptr<Subscription> SqliteLiveStore::SubscribeChannel(std::string channel,
                                                                NotificationHandler handler) {
  auto subscription = hub_->Add(ChannelTopic(channel), std::move(handler));
  hub_->Deliver();
  return subscription;
}

Task<Status> SqliteLiveStore::Ping() {
  auto work = [this](sql::Transaction& tx) -> Result<sql::Rows> {
    return tx.Execute(
        "INSERT INTO live_ping (id, at) VALUES (1, $1) "
        "ON CONFLICT (id) DO UPDATE SET at = excluded.at",
        {ToUnixMillis(time_.Now())});
  };
  Result<sql::Rows> written =
      co_await sql::Transact(database_, Access::kWrite, Deadline(), std::move(work));
  if (!written) co_return Translate(written.error());
  co_return Status();
}

}  // namespace komadai::livestore
