#include "libs/livestore/contract/store_contract.h"

#include <algorithm>

namespace komadai::livestore {

Transaction One(Change change) {
  Transaction transaction;
  transaction.partition = "p";
  transaction.changes.push_back(std::move(change));
  return transaction;
}

Committed StoreContract::Apply(Change change) {
  const Result<CommitOutcome> outcome = SyncWait(store().Commit(One(std::move(change))));
  if (!outcome) {
    ADD_FAILURE() << outcome.error().ToString();
    return {};
  }
  if (!outcome->committed()) {
    ADD_FAILURE() << "conflict at version " << outcome->conflict->current;
    return {};
  }
  EXPECT_EQ(outcome->documents.size(), 1u);
  return outcome->documents.front();
}

Conflict StoreContract::ExpectConflict(Change change) {
  const Result<CommitOutcome> outcome = SyncWait(store().Commit(One(std::move(change))));
  if (!outcome || outcome->committed()) {
    ADD_FAILURE() << "no conflict: " << (outcome ? "committed" : outcome.error().ToString());
    return {};
  }
  EXPECT_TRUE(outcome->documents.empty());
  return *outcome->conflict;
}

Error StoreContract::ExpectError(Transaction transaction) {
  const Result<CommitOutcome> outcome = SyncWait(store().Commit(std::move(transaction)));
  if (outcome) {
    ADD_FAILURE() << "no error";
    return Error{kInternal, ""};
  }
  return outcome.error();
}

std::optional<Document> StoreContract::Load(const std::string& name) {
  Result<std::optional<Document>> loaded = SyncWait(store().Load("p", name));
  if (!loaded) {
    ADD_FAILURE() << loaded.error().ToString();
    return std::nullopt;
  }
  return *loaded;
}

std::vector<std::string> StoreContract::Journal(const std::string& name, Sequence after) {
  const Result<JournalPage> page = SyncWait(store().ReadJournal("p", name, after, kMaxPage));
  std::vector<std::string> payloads;
  if (!page) {
    ADD_FAILURE() << page.error().ToString();
    return payloads;
  }
  for (std::size_t i = 0; i < page->events.size(); ++i) {
    const Event& event = page->events[i];
    EXPECT_EQ(event.sequence, page->events.front().sequence + static_cast<Sequence>(i));
    payloads.push_back(event.payload);
  }
  return payloads;
}

std::vector<std::string> StoreContract::Members(const std::string& index) {
  IndexQuery query;
  query.partition = "p";
  query.index = index;
  const Result<std::vector<IndexEntry>> entries = SyncWait(store().ReadIndex(query));
  std::vector<std::string> names;
  if (!entries) {
    ADD_FAILURE() << entries.error().ToString();
    return names;
  }
  for (const IndexEntry& entry : *entries) names.push_back(entry.name);
  return names;
}

void Recorder::Add(const Notification& notification) {
  const MutexLock lock(mutex_);
  seen_.push_back(notification);
  changed_.NotifyAll();
}

bool Recorder::WaitUntil(const std::function<bool(const std::vector<Notification>&)>& condition) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  MutexLock lock(mutex_);
  while (!condition(seen_)) {
    if (!changed_.WaitUntil(lock, until)) return condition(seen_);
  }
  return true;
}

bool Recorder::WaitForCount(std::size_t count) {
  return WaitUntil([count](const auto& seen) { return seen.size() >= count; });
}

bool Recorder::WaitForResync() {
  return WaitUntil([](const auto& seen) {
    return std::any_of(seen.begin(), seen.end(), [](const Notification& notification) {
      return notification.kind == Notification::Kind::kResync;
    });
  });
}

std::vector<Notification> Recorder::Seen() {
  const MutexLock lock(mutex_);
  return seen_;
}

}  // namespace komadai::livestore
