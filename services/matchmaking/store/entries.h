// What the stores of matchmaking have in common: entries with their versions.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "komadai/internal/v1/match.pb.h"
#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/livestore/live_store.h"
#include "libs/livestore/until_committed.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {

namespace stored_pb = ::komadai::internal::v1;

template <typename Proto>
struct Versioned {
  Proto value;
  livestore::Version version = livestore::kAbsent;
  bool exists() const { return version != livestore::kAbsent; }
};
using SeekEntry = Versioned<stored_pb::StoredSeek>;
using HistoryEntry = Versioned<stored_pb::StoredHistory>;
using ChallengeEntry = Versioned<stored_pb::StoredChallenge>;
using OpenChallengesEntry = Versioned<stored_pb::StoredOpenChallenges>;
using RematchEntry = Versioned<stored_pb::StoredRematch>;

// An absent document is an entry that does not exist. CORRUPT_ENTRY.
template <typename Proto>
Result<Versioned<Proto>> ReadEntry(const std::optional<livestore::Document>& document) {
  Versioned<Proto> entry;
  if (!document) return entry;
  if (!entry.value.ParseFromString(document->body)) {
    return Error{kCorruptEntry, "a stored entry cannot be read", {{"name", document->name}}};
  }
  entry.version = document->version;
  return entry;
}

template <typename Proto>
Result<Versioned<Proto>> ReadEntry(const Result<std::optional<livestore::Document>>& document) {
  if (!document) return document.error();
  return ReadEntry<Proto>(*document);
}

// Whether the transaction was committed; false: a conflict.
inline Task<Result<bool>> CommitIn(livestore::LiveStore& store,
                                   livestore::Transaction transaction) {
  Result<livestore::CommitOutcome> outcome = co_await store.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  co_return outcome->committed();
}

// How often a decision is made again before the caller is told CONTENTION.
inline constexpr int kMaxAttempts = 16;

inline Error Contention() { return Error(kContention, "too many concurrent changes; retry"); }

// What became of an attempt whose last step was this commit: `value` if it was committed.
template <typename T>
livestore::Attempt<T> Outcome(Result<bool> committed, T value) {
  if (!committed) return std::move(committed).error();
  if (!*committed) return livestore::LostRace{};
  return value;
}

// The names of an index' entries, without what stands before their last '/'.
inline Task<Result<std::vector<std::string>>> NamesIn(livestore::LiveStore& store,
                                                      livestore::IndexQuery query) {
  Result<std::vector<livestore::IndexEntry>> entries = co_await store.ReadIndex(std::move(query));
  if (!entries) co_return std::move(entries).error();
  std::vector<std::string> names;
  names.reserve(entries->size());
  for (const livestore::IndexEntry& entry : *entries) {
    names.push_back(entry.name.substr(entry.name.rfind('/') + 1));
  }
  co_return names;
}

}  // namespace komadai::matchmaking
