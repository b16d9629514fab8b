#include "libs/livestore/memory_live_store.h"

#include <algorithm>

#include "libs/livestore/topics.h"
#include "libs/livestore/validation.h"

namespace komadai::livestore {
namespace {

using Kind = Notification::Kind;

Document ToDocument(const std::string& name, Version version, Sequence last_sequence,
                    const std::string& body) {
  return Document{name, version, last_sequence, body};
}

}  // namespace

Task<Result<CommitOutcome>> MemoryLiveStore::Commit(Transaction transaction) {
  if (Status valid = Validate(transaction); !valid) co_return std::move(valid).error();
  MutexLock lock(mutex_);
  Result<CommitOutcome> outcome = CommitLocked(transaction);
  lock.Unlock();
  hub_->Deliver();
  co_return outcome;
}

Result<CommitOutcome> MemoryLiveStore::CommitLocked(const Transaction& transaction) {
  ExpireLocked();
  for (const Change& change : transaction.changes) {
    const StoredDocument* found = FindLocked(transaction.partition, change.name);
    const Version current = found ? found->version : kAbsent;
    if (change.expected_version != kAnyVersion && change.expected_version != current) {
      return CommitOutcome{Conflict{change.name, change.expected_version, current}, {}};
    }
  }
  Partition& partition = partitions_[transaction.partition];
  if (Status expiry = CheckExpiry(transaction, partition); !expiry) {
    return std::move(expiry).error();
  }
  const Version version = ++last_version_;
  CommitOutcome outcome;
  for (const Change& change : transaction.changes) {
    outcome.documents.push_back(ApplyLocked(transaction.partition, partition, change, version));
  }
  for (const Announcement& announcement : transaction.announcements) {
    hub_->Publish(ChannelTopic(announcement.channel), {Kind::kMessage, 0, announcement.payload});
  }
  return outcome;
}

Status MemoryLiveStore::CheckExpiry(const Transaction& transaction, const Partition& partition) {
  for (const Change& change : transaction.changes) {
    const auto found = partition.documents.find(change.name);
    const bool exists = found != partition.documents.end();
    if (!exists && !Creates(change)) continue;
    bool expires = exists && found->second.expires_at.has_value();
    if (change.time_to_live) expires = *change.time_to_live > Millis::zero();
    std::set<std::string> members;
    if (exists) {
      for (const auto& [index, score] : found->second.scores) members.insert(index);
    }
    for (const IndexChange& index : change.indexes) {
      if (index.score) {
        members.insert(index.index);
      } else {
        members.erase(index.index);
      }
    }
    if (expires && !members.empty()) return ExpiringDocumentInIndex(change.name);
  }
  return {};
}

Committed MemoryLiveStore::ApplyLocked(const std::string& partition_name, Partition& partition,
                                       const Change& change, Version version) {
  auto found = partition.documents.find(change.name);
  if (found == partition.documents.end()) {
    if (!Creates(change)) return {};
    found = partition.documents.emplace(change.name, StoredDocument{}).first;
  }
  const std::string topic = DocumentTopic(partition_name, change.name);
  if (change.delete_document) {
    Erase(partition, change.name);
    hub_->Resync(topic);
    return {};
  }
  StoredDocument& document = found->second;
  if (HasEffect(change)) document.version = version;
  if (change.put_body) document.body = *change.put_body;
  for (const std::string& event : change.events) {
    document.events.push_back(event);
    ++document.last_sequence;
    hub_->Publish(topic, {Kind::kEvent, document.last_sequence, event});
  }
  if (change.keep_last_events) {
    const auto keep = static_cast<std::size_t>(*change.keep_last_events);
    while (document.events.size() > keep) document.events.pop_front();
  }
  ApplyIndexes(partition, change.name, document, change.indexes);
  if (change.time_to_live) {
    document.expires_at.reset();
    if (*change.time_to_live > Millis::zero()) {
      document.expires_at = time_.Now() + *change.time_to_live;
      expiries_.emplace(*document.expires_at, std::pair(partition_name, change.name));
    }
  }
  return {document.version, document.last_sequence};
}

void MemoryLiveStore::ApplyIndexes(Partition& partition, const std::string& name,
                                   StoredDocument& document,
                                   const std::vector<IndexChange>& changes) {
  for (const IndexChange& change : changes) {
    auto& entries = partition.indexes[change.index];
    if (const auto old = document.scores.find(change.index); old != document.scores.end()) {
      entries.erase({old->second, name});
      document.scores.erase(old);
    }
    if (change.score) {
      entries.emplace(*change.score, name);
      document.scores.emplace(change.index, *change.score);
    }
    if (entries.empty()) partition.indexes.erase(change.index);
  }
}

void MemoryLiveStore::Erase(Partition& partition, const std::string& name) {
  const auto found = partition.documents.find(name);
  std::vector<IndexChange> leave_all;
  for (const auto& [index, score] : found->second.scores) leave_all.push_back({index, {}});
  ApplyIndexes(partition, name, found->second, leave_all);
  partition.documents.erase(found);
}

void MemoryLiveStore::ExpireLocked() {
  const TimePoint now = time_.Now();
  while (!expiries_.empty() && expiries_.begin()->first <= now) {
    const auto [partition_name, name] = expiries_.begin()->second;
    expiries_.erase(expiries_.begin());
    Partition& partition = partitions_[partition_name];
    const auto found = partition.documents.find(name);
    if (found != partition.documents.end() && found->second.expires_at &&
        *found->second.expires_at <= now) {
      partition.documents.erase(found);
    }
  }
}

const MemoryLiveStore::StoredDocument* MemoryLiveStore::FindLocked(const std::string& partition,
                                                                   const std::string& name) const {
  const auto found = partitions_.find(partition);
  if (found == partitions_.end()) return nullptr;
  const auto document = found->second.documents.find(name);
  return document == found->second.documents.end() ? nullptr : &document->second;
}

std::vector<Event> MemoryLiveStore::EventsAfter(const StoredDocument& document, Sequence after,
                                                std::int64_t limit) {
  std::vector<Event> events;
  const Sequence dropped = document.last_sequence - static_cast<Sequence>(document.events.size());
  const Sequence first = std::clamp(after, dropped, document.last_sequence);
  const Sequence last = std::min(document.last_sequence, first + ClampPage(limit));
  for (Sequence sequence = first + 1; sequence <= last; ++sequence) {
    events.push_back({sequence, document.events[static_cast<std::size_t>(sequence - dropped - 1)]});
  }
  return events;
}

Task<Result<std::optional<Document>>> MemoryLiveStore::Load(std::string partition,
                                                            std::string name) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  const MutexLock lock(mutex_);
  ExpireLocked();
  const StoredDocument* found = FindLocked(partition, name);
  if (!found) co_return std::optional<Document>();
  co_return std::optional(ToDocument(name, found->version, found->last_sequence, found->body));
}

Task<Result<std::vector<std::optional<Document>>>> MemoryLiveStore::LoadMany(
    std::string partition, std::vector<std::string> names) {
  if (Status valid = ValidateKeys(partition, names); !valid) co_return std::move(valid).error();
  const MutexLock lock(mutex_);
  ExpireLocked();
  std::vector<std::optional<Document>> documents;
  for (const std::string& name : names) {
    documents.emplace_back();
    const StoredDocument* found = FindLocked(partition, name);
    if (!found) continue;
    documents.back() = ToDocument(name, found->version, found->last_sequence, found->body);
  }
  co_return documents;
}

Task<Result<std::optional<DocumentWithJournal>>> MemoryLiveStore::LoadWithJournal(
    std::string partition, std::string name, Sequence after_sequence, std::int64_t limit) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  const MutexLock lock(mutex_);
  ExpireLocked();
  const StoredDocument* found = FindLocked(partition, name);
  if (!found) co_return std::optional<DocumentWithJournal>();
  DocumentWithJournal loaded{ToDocument(name, found->version, found->last_sequence, found->body),
                             EventsAfter(*found, after_sequence, limit)};
  co_return std::optional(std::move(loaded));
}

Task<Result<JournalPage>> MemoryLiveStore::ReadJournal(std::string partition, std::string name,
                                                       Sequence after_sequence,
                                                       std::int64_t limit) {
  if (Status valid = ValidateKey(partition, name); !valid) co_return std::move(valid).error();
  const MutexLock lock(mutex_);
  ExpireLocked();
  const StoredDocument* found = FindLocked(partition, name);
  if (!found) co_return JournalPage();
  co_return JournalPage{EventsAfter(*found, after_sequence, limit), found->last_sequence};
}

Task<Result<std::vector<IndexEntry>>> MemoryLiveStore::ReadIndex(IndexQuery query) {
  if (Status valid = Validate(query); !valid) co_return std::move(valid).error();
  const MutexLock lock(mutex_);
  std::vector<IndexEntry> page;
  const auto partition = partitions_.find(query.partition);
  if (partition == partitions_.end()) co_return page;
  const auto index = partition->second.indexes.find(query.index);
  if (index == partition->second.indexes.end()) co_return page;
  auto entry = index->second.lower_bound({query.min_score, ""});
  if (query.after && query.after->score >= query.min_score) {
    entry = index->second.upper_bound({query.after->score, query.after->name});
  }
  const auto limit = static_cast<std::size_t>(ClampPage(query.limit));
  for (; entry != index->second.end() && entry->first <= query.max_score; ++entry) {
    if (page.size() == limit) break;
    page.push_back({entry->second, entry->first});
  }
  co_return page;
}

Task<Result<std::int64_t>> MemoryLiveStore::CountIndex(std::string partition, std::string index,
                                                       std::int64_t min_score,
                                                       std::int64_t max_score) {
  if (Status valid = ValidateKey(partition, index); !valid) co_return std::move(valid).error();
  if (Status valid = ValidateScores(min_score, max_score); !valid) {
    co_return std::move(valid).error();
  }
  const MutexLock lock(mutex_);
  const auto found = partitions_.find(partition);
  if (found == partitions_.end()) co_return std::int64_t{0};
  const auto entries = found->second.indexes.find(index);
  if (entries == found->second.indexes.end()) co_return std::int64_t{0};
  std::int64_t count = 0;
  for (const auto& [score, name] : entries->second) {
    if (min_score <= score && score <= max_score) ++count;
  }
  co_return count;
}

std::unique_ptr<Subscription> MemoryLiveStore::Subscribe(std::string partition, std::string name,
                                                         NotificationHandler handler) {
  auto subscription = hub_->Add(DocumentTopic(partition, name), std::move(handler));
  hub_->Deliver();
  return subscription;
}

std::unique_ptr<Subscription> MemoryLiveStore::SubscribeChannel(std::string channel,
                                                                NotificationHandler handler) {
  auto subscription = hub_->Add(ChannelTopic(channel), std::move(handler));
  hub_->Deliver();
  return subscription;
}

Task<Status> MemoryLiveStore::Ping() { co_return Status(); }

}  // namespace komadai::livestore
