#include "libs/livestore/sqlite_commit.h"

#include "libs/livestore/topics.h"
#include "libs/livestore/validation.h"

namespace komadai::livestore {
namespace {

using sql::Bytes;

// Expired documents that a commit takes away on its way, so that they do not pile up.
constexpr std::int64_t kSweepPerCommit = 4;

// Deleting a document takes its journal and memberships along.
constexpr char kSchema[] = R"sql(
CREATE TABLE live_documents (
  id INTEGER PRIMARY KEY,
  partition TEXT NOT NULL,
  name BLOB NOT NULL,
  version BIGINT NOT NULL,
  last_sequence BIGINT NOT NULL,
  expires_at BIGINT,
  body BLOB NOT NULL,
  UNIQUE (partition, name)
);
CREATE INDEX live_documents_expiry ON live_documents (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE live_journal (
  document BIGINT NOT NULL REFERENCES live_documents (id) ON DELETE CASCADE,
  sequence BIGINT NOT NULL,
  payload BLOB NOT NULL,
  PRIMARY KEY (document, sequence)
) WITHOUT ROWID;
CREATE TABLE live_index (
  partition TEXT NOT NULL,
  index_name BLOB NOT NULL,
  score BIGINT NOT NULL,
  name BLOB NOT NULL,
  document BIGINT NOT NULL REFERENCES live_documents (id) ON DELETE CASCADE,
  PRIMARY KEY (partition, index_name, score, name)
) WITHOUT ROWID;
CREATE UNIQUE INDEX live_index_membership ON live_index (document, index_name);
CREATE TABLE live_ping (id BIGINT PRIMARY KEY, at BIGINT NOT NULL);
)sql";

// A document as the transaction finds it.
struct Current {
  bool exists = false;
  std::int64_t id = 0;
  Version version = kAbsent;
  Sequence last_sequence = 0;
  std::optional<std::int64_t> expires_at;
};

class Committer {
 public:
  Committer(sql::Transaction& tx, const Transaction& transaction, TimePoint now, Version version)
      : tx_(tx), transaction_(transaction), now_(ToUnixMillis(now)), version_(version) {}

  Result<CommitAttempt> Run() {
    if (Status swept = Sweep(); !swept) return std::move(swept).error();
    std::vector<Current> found;
    for (const Change& change : transaction_.changes) {
      Result<Current> current = Find(change.name);
      if (!current) return std::move(current).error();
      if (change.expected_version != kAnyVersion && change.expected_version != current->version) {
        CommitAttempt attempt;
        attempt.outcome.conflict = Conflict{change.name, change.expected_version, current->version};
        return attempt;
      }
      found.push_back(*current);
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (Status applied = Apply(transaction_.changes[i], found[i]); !applied) {
        return std::move(applied).error();
      }
    }
    for (const Announcement& announcement : transaction_.announcements) {
      Publish(ChannelTopic(announcement.channel),
              {Notification::Kind::kMessage, 0, announcement.payload});
    }
    return std::move(attempt_);
  }

 private:
  Status Execute(std::string_view statement, const sql::Params& params) {
    Result<sql::Rows> rows = tx_.Execute(statement, params);
    if (!rows) return std::move(rows).error();
    return {};
  }

  Status Sweep() {
    return Execute(
        "DELETE FROM live_documents WHERE id IN "
        "(SELECT id FROM live_documents WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)",
        {now_, kSweepPerCommit});
  }

  Result<Current> Find(const std::string& name) {
    Result<sql::Rows> rows = tx_.Execute(
        "SELECT id, version, last_sequence, expires_at FROM live_documents "
        "WHERE partition = $1 AND name = $2",
        {transaction_.partition, Bytes{name}});
    if (!rows) return std::move(rows).error();
    Current current;
    if (rows->empty()) return current;
    const sql::Row& row = (*rows)[0];
    if (!row.IsNull(3)) current.expires_at = row.Int(3);
    if (current.expires_at && *current.expires_at <= now_) {
      if (Status gone = Delete(row.Int(0)); !gone) return std::move(gone).error();
      return Current();
    }
    current.exists = true;
    current.id = row.Int(0);
    current.version = row.Int(1);
    current.last_sequence = row.Int(2);
    return current;
  }

  Status Delete(std::int64_t id) {
    return Execute("DELETE FROM live_documents WHERE id = $1", {id});
  }

  void Publish(std::string topic, Notification notification) {
    attempt_.notifications.emplace_back(std::move(topic), std::move(notification));
  }

  Status Apply(const Change& change, Current current) {
    const std::string topic = DocumentTopic(transaction_.partition, change.name);
    Committed& committed = attempt_.outcome.documents.emplace_back();
    if (!current.exists && !Creates(change)) return {};
    if (change.delete_document) {
      Publish(topic, {});
      return Delete(current.id);
    }
    if (HasEffect(change)) current.version = version_;
    const Sequence first = current.last_sequence;
    current.last_sequence += static_cast<Sequence>(change.events.size());
    committed = {current.version, current.last_sequence};
    if (!HasEffect(change)) return {};
    if (change.time_to_live) {
      current.expires_at.reset();
      if (*change.time_to_live > Millis::zero()) {
        current.expires_at = now_ + change.time_to_live->count();
      }
    }
    if (Status written = WriteDocument(change, current); !written) return written;
    if (Status appended = AppendEvents(change, current, first, topic); !appended) return appended;
    if (Status indexed = ChangeIndexes(change, current); !indexed) return indexed;
    return CheckExpiry(change, current);
  }

  Status WriteDocument(const Change& change, Current& current) {
    if (!current.exists) {
      Result<sql::Rows> rows = tx_.Execute(
          "INSERT INTO live_documents (partition, name, version, last_sequence, expires_at, body) "
          "VALUES ($1, $2, $3, $4, $5, $6) RETURNING id",
          {transaction_.partition, Bytes{change.name}, current.version, current.last_sequence,
           current.expires_at, Bytes{change.put_body.value_or("")}});
      if (!rows) return std::move(rows).error();
      current.id = (*rows)[0].Int(0);
      return {};
    }
    if (change.put_body) {
      return Execute(
          "UPDATE live_documents SET version = $2, last_sequence = $3, expires_at = $4, body = $5 "
          "WHERE id = $1",
          {current.id, current.version, current.last_sequence, current.expires_at,
           Bytes{*change.put_body}});
    }
    return Execute(
        "UPDATE live_documents SET version = $2, last_sequence = $3, expires_at = $4 WHERE id = $1",
        {current.id, current.version, current.last_sequence, current.expires_at});
  }

  Status AppendEvents(const Change& change, const Current& current, Sequence first,
                      const std::string& topic) {
    Sequence sequence = first;
    for (const std::string& event : change.events) {
      ++sequence;
      Status appended =
          Execute("INSERT INTO live_journal (document, sequence, payload) VALUES ($1, $2, $3)",
                  {current.id, sequence, Bytes{event}});
      if (!appended) return appended;
      Publish(topic, {Notification::Kind::kEvent, sequence, event});
    }
    if (!change.keep_last_events) return {};
    return Execute("DELETE FROM live_journal WHERE document = $1 AND sequence <= $2",
                   {current.id, current.last_sequence - *change.keep_last_events});
  }

  Status ChangeIndexes(const Change& change, const Current& current) {
    for (const IndexChange& index : change.indexes) {
      Status changed;
      if (index.score) {
        changed = Execute(
            "INSERT INTO live_index (partition, index_name, score, name, document) "
            "VALUES ($1, $2, $3, $4, $5) "
            "ON CONFLICT (document, index_name) DO UPDATE SET score = excluded.score",
            {transaction_.partition, Bytes{index.index}, *index.score, Bytes{change.name},
             current.id});
      } else {
        changed = Execute("DELETE FROM live_index WHERE document = $1 AND index_name = $2",
                          {current.id, Bytes{index.index}});
      }
      if (!changed) return changed;
    }
    return {};
  }

  // Last, and by looking at what has been written: the error rolls it back.
  Status CheckExpiry(const Change& change, const Current& current) {
    if (!current.expires_at || (!change.time_to_live && change.indexes.empty())) return {};
    Result<sql::Rows> rows =
        tx_.Execute("SELECT 1 FROM live_index WHERE document = $1 LIMIT 1", {current.id});
    if (!rows) return std::move(rows).error();
    if (!rows->empty()) return ExpiringDocumentInIndex(change.name);
    return {};
  }

  sql::Transaction& tx_;
  const Transaction& transaction_;
  const std::int64_t now_;
  const Version version_;
  CommitAttempt attempt_;
};

}  // namespace

std::vector<sql::Migration> LiveStoreMigrations() {
  return {{.version = 1, .name = "documents, journals and indexes", .script = kSchema}};
}

Result<CommitAttempt> RunCommit(sql::Transaction& tx, const Transaction& transaction, TimePoint now,
                                Version version) {
  return Committer(tx, transaction, now, version).Run();
}

Result<std::optional<StoredDocument>> FindDocument(sql::Transaction& tx,
                                                   const std::string& partition,
                                                   const std::string& name, TimePoint now) {
  Result<sql::Rows> rows = tx.Execute(
      "SELECT id, version, last_sequence, body FROM live_documents "
      "WHERE partition = $1 AND name = $2 AND (expires_at IS NULL OR expires_at > $3)",
      {partition, Bytes{name}, ToUnixMillis(now)});
  if (!rows) return std::move(rows).error();
  if (rows->empty()) return std::optional<StoredDocument>();
  const sql::Row& row = (*rows)[0];
  return std::optional(
      StoredDocument{row.Int(0), Document{name, row.Int(1), row.Int(2), row.Blob(3)}});
}

Result<std::vector<Event>> ReadEvents(sql::Transaction& tx, std::int64_t id, Sequence after,
                                      std::int64_t limit) {
  Result<sql::Rows> rows = tx.Execute(
      "SELECT sequence, payload FROM live_journal WHERE document = $1 AND sequence > $2 "
      "ORDER BY sequence LIMIT $3",
      {id, after, ClampPage(limit)});
  if (!rows) return std::move(rows).error();
  std::vector<Event> events;
  for (const sql::Row& row : *rows) events.push_back({row.Int(0), row.Blob(1)});
  return events;
}

}  // namespace komadai::livestore
