#include "libs/livestore/faulty_live_store.h"

#include <utility>

namespace komadai::livestore {
namespace {

using OperationKind = Operation::Kind;

Error ErrorFor(Fault fault, OperationKind kind) {
  if (fault == Fault::kOverloaded) return Error{kOverloaded, "injected: too many operations"};
  const bool in_doubt = fault == Fault::kInDoubtDone || fault == Fault::kInDoubtNotDone;
  if (in_doubt && kind == OperationKind::kCommit) {
    return Error{kInDoubt, "injected: the connection was lost after sending"};
  }
  return Error{kUnavailable, "injected: no connection to the store"};
}

bool Fails(Fault fault, OperationKind kind) {
  return fault != Fault::kNone && !(fault == Fault::kConflict && kind != OperationKind::kCommit);
}

// The first change that compares a version; nullopt if none does.
std::optional<Conflict> InventedConflict(const Transaction& transaction) {
  for (const Change& change : transaction.changes) {
    if (change.expected_version == kAnyVersion) continue;
    return Conflict{change.name, change.expected_version, change.expected_version + 1};
  }
  return std::nullopt;
}

}  // namespace

Fault FaultyLiveStore::Ask(OperationKind kind, const Transaction* transaction) const {
  return plan_ ? plan_(Operation{kind, transaction}) : Fault::kNone;
}

Task<void> FaultyLiveStore::Step() const {
  if (!schedule_) co_return;
  co_await FromCallback<bool>([this](auto done) { schedule_([done] { done(true); }); });
}

template <typename T>
Task<Result<T>> FaultyLiveStore::Read(Task<Result<T>> read) {
  co_await Step();
  const Fault fault = Ask(OperationKind::kRead);
  if (Fails(fault, OperationKind::kRead)) co_return ErrorFor(fault, OperationKind::kRead);
  Result<T> result = co_await std::move(read);
  co_await Step();
  co_return result;
}

Task<Result<CommitOutcome>> FaultyLiveStore::Commit(Transaction transaction) {
  co_await Step();
  Fault fault = Ask(OperationKind::kCommit, &transaction);
  if (fault == Fault::kConflict) {
    std::optional<Conflict> conflict = InventedConflict(transaction);
    if (conflict) co_return CommitOutcome{std::move(conflict), {}};
    fault = Fault::kNone;
  }
  if (fault != Fault::kNone && fault != Fault::kInDoubtDone) {
    co_return ErrorFor(fault, OperationKind::kCommit);
  }
  Result<CommitOutcome> outcome = co_await inner_.Commit(std::move(transaction));
  co_await Step();
  if (fault == Fault::kInDoubtDone) co_return ErrorFor(fault, OperationKind::kCommit);
  co_return outcome;
}

Task<Result<std::optional<Document>>> FaultyLiveStore::Load(std::string partition,
                                                            std::string name) {
  return Read(inner_.Load(std::move(partition), std::move(name)));
}

Task<Result<std::vector<std::optional<Document>>>> FaultyLiveStore::LoadMany(
    std::string partition, std::vector<std::string> names) {
  return Read(inner_.LoadMany(std::move(partition), std::move(names)));
}

Task<Result<std::optional<DocumentWithJournal>>> FaultyLiveStore::LoadWithJournal(
    std::string partition, std::string name, Sequence after_sequence, std::int64_t limit) {
  return Read(inner_.LoadWithJournal(std::move(partition), std::move(name), after_sequence, limit));
}

Task<Result<JournalPage>> FaultyLiveStore::ReadJournal(std::string partition, std::string name,
                                                       Sequence after_sequence,
                                                       std::int64_t limit) {
  return Read(inner_.ReadJournal(std::move(partition), std::move(name), after_sequence, limit));
}

Task<Result<std::vector<IndexEntry>>> FaultyLiveStore::ReadIndex(IndexQuery query) {
  return Read(inner_.ReadIndex(std::move(query)));
}

Task<Result<std::int64_t>> FaultyLiveStore::CountIndex(std::string partition, std::string index,
                                                       std::int64_t min_score,
                                                       std::int64_t max_score) {
  return Read(inner_.CountIndex(std::move(partition), std::move(index), min_score, max_score));
}

std::unique_ptr<Subscription> FaultyLiveStore::Subscribe(std::string partition, std::string name,
                                                         NotificationHandler handler) {
  return inner_.Subscribe(std::move(partition), std::move(name), std::move(handler));
}

std::unique_ptr<Subscription> FaultyLiveStore::SubscribeChannel(std::string channel,
                                                                NotificationHandler handler) {
  return inner_.SubscribeChannel(std::move(channel), std::move(handler));
}

Task<Status> FaultyLiveStore::Ping() {
  co_await Step();
  const Fault fault = Ask(OperationKind::kPing);
  if (Fails(fault, OperationKind::kPing)) co_return ErrorFor(fault, OperationKind::kPing);
  co_return co_await inner_.Ping();
}

}  // namespace komadai::livestore
