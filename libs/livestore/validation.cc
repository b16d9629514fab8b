#include "libs/livestore/validation.h"

#include <algorithm>
#include <set>

namespace komadai::livestore {
namespace {

Error TooLarge(std::string_view what, std::size_t size, std::size_t limit) {
  return Error{kTooLarge,
               std::string(what) + " is too large",
               {{"what", std::string(what)},
                {"size", std::to_string(size)},
                {"limit", std::to_string(limit)}}};
}

Error Invalid(std::string message) { return Error{kInvalidTransaction, std::move(message)}; }

Status CheckSize(std::string_view what, std::size_t size, std::size_t limit) {
  if (size > limit) return TooLarge(what, size, limit);
  return {};
}

bool IsScore(std::int64_t score) { return -kMaxScore <= score && score <= kMaxScore; }

std::size_t Bytes(const Change& change) {
  std::size_t bytes = change.name.size();
  if (change.put_body) bytes += change.put_body->size();
  for (const std::string& event : change.events) bytes += event.size();
  for (const IndexChange& index : change.indexes) bytes += index.index.size();
  return bytes;
}

Status ValidateIndexes(const Change& change) {
  if (Status size = CheckSize("number of index changes", change.indexes.size(), kMaxIndexChanges);
      !size) {
    return size;
  }
  std::set<std::string_view> seen;
  for (const IndexChange& index : change.indexes) {
    if (Status name = ValidateName("index name", index.index); !name) return name;
    if (index.score && !IsScore(*index.score)) return Invalid("an index score is beyond 2^53");
    if (!seen.insert(index.index).second) return Invalid("an index is named twice in one change");
  }
  return {};
}

Status ValidateChange(const Change& change) {
  if (Status name = ValidateName("document name", change.name); !name) return name;
  if (change.expected_version < kAnyVersion) return Invalid("an expected version is negative");
  if (change.put_body) {
    if (Status body = CheckSize("body", change.put_body->size(), kMaxBodyBytes); !body) return body;
  }
  if (Status count = CheckSize("number of events", change.events.size(), kMaxEventsPerChange);
      !count) {
    return count;
  }
  for (const std::string& event : change.events) {
    if (Status size = CheckSize("event", event.size(), kMaxEventBytes); !size) return size;
  }
  if (Status indexes = ValidateIndexes(change); !indexes) return indexes;
  if (change.time_to_live &&
      (*change.time_to_live < Millis::zero() || *change.time_to_live > kMaxTimeToLive)) {
    return Invalid("a time to live is out of range");
  }
  if (change.keep_last_events && *change.keep_last_events < 0) {
    return Invalid("keep_last_events is negative");
  }
  if (change.delete_document && (Creates(change) || !change.indexes.empty() ||
                                 change.time_to_live || change.keep_last_events)) {
    return Invalid("a deletion excludes every other effect");
  }
  return {};
}

Status ValidateAnnouncement(const Announcement& announcement) {
  if (Status name = ValidateName("channel", announcement.channel); !name) return name;
  return CheckSize("announcement", announcement.payload.size(), kMaxEventBytes);
}

}  // namespace

Status ValidatePartition(std::string_view partition) {
  if (Status size = CheckSize("partition", partition.size(), kMaxPartitionBytes); !size) {
    return size;
  }
  const bool clean = std::all_of(partition.begin(), partition.end(), [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
           c == '.' || c == ':' || c == '-';
  });
  if (partition.empty() || !clean) return Invalid("a partition is empty or has odd characters");
  return {};
}

Status ValidateName(std::string_view what, std::string_view name) {
  if (name.empty()) return Invalid(std::string(what) + " is empty");
  return CheckSize(what, name.size(), kMaxNameBytes);
}

Status ValidateKey(std::string_view partition, std::string_view name) {
  if (Status status = ValidatePartition(partition); !status) return status;
  return ValidateName("document name", name);
}

Status ValidateKeys(std::string_view partition, const std::vector<std::string>& names) {
  if (Status status = ValidatePartition(partition); !status) return status;
  if (Status size = CheckSize("number of names", names.size(), std::size_t{kMaxPage}); !size) {
    return size;
  }
  for (const std::string& name : names) {
    if (Status status = ValidateName("document name", name); !status) return status;
  }
  return {};
}

Status Validate(const Transaction& transaction) {
  if (Status status = ValidatePartition(transaction.partition); !status) return status;
  if (transaction.changes.empty()) return Invalid("a transaction without changes");
  if (Status count = CheckSize("number of changes", transaction.changes.size(), kMaxChanges);
      !count) {
    return count;
  }
  if (Status count =
          CheckSize("number of announcements", transaction.announcements.size(), kMaxChanges);
      !count) {
    return count;
  }
  std::size_t bytes = 0;
  std::set<std::string_view> seen;
  for (const Change& change : transaction.changes) {
    if (Status status = ValidateChange(change); !status) return status;
    if (!seen.insert(change.name).second) return Invalid("a document is named twice");
    bytes += Bytes(change);
  }
  for (const Announcement& announcement : transaction.announcements) {
    if (Status status = ValidateAnnouncement(announcement); !status) return status;
    bytes += announcement.channel.size() + announcement.payload.size();
  }
  return CheckSize("transaction", bytes, kMaxTransactionBytes);
}

Status ValidateScores(std::int64_t min_score, std::int64_t max_score) {
  if (!IsScore(min_score) || !IsScore(max_score)) return Invalid("an index score is beyond 2^53");
  return {};
}

Status Validate(const IndexQuery& query) {
  if (Status status = ValidatePartition(query.partition); !status) return status;
  if (Status status = ValidateName("index name", query.index); !status) return status;
  if (query.after && !IsScore(query.after->score)) return Invalid("an index score is beyond 2^53");
  return ValidateScores(query.min_score, query.max_score);
}

std::int64_t ClampPage(std::int64_t limit) { return std::clamp(limit, std::int64_t{0}, kMaxPage); }

bool HasEffect(const Change& change) {
  return change.put_body || change.delete_document || !change.events.empty() ||
         !change.indexes.empty() || change.time_to_live || change.keep_last_events;
}

bool Creates(const Change& change) {
  return change.put_body || !change.events.empty() ||
         std::any_of(change.indexes.begin(), change.indexes.end(),
                     [](const IndexChange& index) { return index.score.has_value(); });
}

Error ExpiringDocumentInIndex(const std::string& name) {
  return Error{kInvalidTransaction,
               "a document with a time to live cannot be in an index",
               {{"document", name}}};
}

}  // namespace komadai::livestore
