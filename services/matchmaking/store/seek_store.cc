#include "services/matchmaking/store/seek_store.h"

#include <algorithm>
#include <array>
#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"
#include "services/matchmaking/store/seek_codec.h"

namespace komadai::matchmaking {
namespace {

using livestore::Change;
using livestore::Document;
using livestore::Transaction;

constexpr Millis kKeepClosed{std::int64_t{600} * 1000};  // a closed seek stays readable
// How long a player who does not seek again is remembered.
constexpr Millis kKeepPlayer{std::int64_t{30} * 86400 * 1000};
constexpr Millis kKeepPace{std::int64_t{3600} * 1000};
constexpr std::int64_t kPage = livestore::kMaxPage;
constexpr int kSeekBatch = 1000;
constexpr char kUnwatched[] = "unwatched";
constexpr char kPaired[] = "paired";
constexpr char kOffered[] = "offered";
constexpr char kWaiting[] = "waiting";

std::string OwnerName(const std::string& player_id) { return "player/" + player_id; }
std::string HistoryName(const std::string& player_id) { return "history/" + player_id; }
std::string WatchName(const std::string& seek_id) { return "watch/" + seek_id; }

std::string WaitingIndex(const std::string& variant) {
  return variant.empty() ? kWaiting : std::string(kWaiting) + "/" + variant;
}

std::string VariantOf(const pb::Seek& seek) {
  const auto variant = convert::VariantFromProto(seek.terms().setup().variant());
  return variant ? std::string(rules::VariantName(*variant)) : "other";
}

// How a seek's document changes with its state.
Change ChangeOf(const SeekEntry& entry) {
  const pb::Seek& seek = entry.value.seek();
  Change change;
  change.name = SeekStore::DocumentOf(seek.seek_id());
  change.expected_version = entry.version;
  change.put_body = entry.value.SerializeAsString();
  // Watchers read the seek itself: the event only tells that it has changed.
  change.events.push_back(std::to_string(static_cast<int>(seek.state())));
  change.keep_last_events = 1;
  const auto score = [&seek](pb::SeekState state, std::int64_t value) {
    return seek.state() == state ? std::optional(value) : std::nullopt;
  };
  const auto since = score(pb::SEEK_STATE_WAITING, seek.created_at_ms());
  change.indexes.push_back({kWaiting, since});
  change.indexes.push_back({WaitingIndex(VariantOf(seek)), since});
  change.indexes.push_back({kOffered, score(pb::SEEK_STATE_OFFERED, seek.answer_by_ms())});
  change.indexes.push_back(
      {kPaired, score(pb::SEEK_STATE_PAIRED, entry.value.pairing().paired_at_ms())});
  if (!IsOpen(SeekStateOf(entry.value))) change.time_to_live = kKeepClosed;
  return change;
}

Change WatchOf(const std::string& seek_id, std::optional<TimePoint> unwatched_at) {
  Change watch;
  watch.name = WatchName(seek_id);
  watch.expected_version = livestore::kAnyVersion;
  if (unwatched_at) {
    watch.indexes.push_back({kUnwatched, ToUnixMillis(*unwatched_at)});
  } else {
    watch.delete_document = true;
  }
  return watch;
}

}  // namespace

Task<Result<SeekEntry>> SeekStore::Load(std::string seek_id) {
  Result<std::optional<Document>> document = co_await store_.Load(kPartition, DocumentOf(seek_id));
  co_return ReadEntry<stored_pb::StoredSeek>(document);
}

Task<Result<std::vector<SeekEntry>>> SeekStore::LoadAll(std::vector<std::string> seek_ids) {
  std::vector<SeekEntry> entries;
  entries.reserve(seek_ids.size());
  for (std::size_t begin = 0; begin < seek_ids.size(); begin += kPage) {
    const std::size_t end = std::min(seek_ids.size(), begin + static_cast<std::size_t>(kPage));
    std::vector<std::string> names;
    for (std::size_t i = begin; i < end; ++i) names.push_back(DocumentOf(seek_ids[i]));
    Result<std::vector<std::optional<Document>>> documents =
        co_await store_.LoadMany(kPartition, std::move(names));
    if (!documents) co_return std::move(documents).error();
    for (const std::optional<Document>& document : *documents) {
      Result<SeekEntry> entry = ReadEntry<stored_pb::StoredSeek>(document);
      // An unreadable seek must not prevent all others from being paired.
      entries.push_back(entry ? *std::move(entry) : SeekEntry());
    }
  }
  co_return entries;
}

Task<Result<SeekStore::PlayerState>> SeekStore::StateOf(std::string player_id) {
  std::vector<std::string> names{OwnerName(player_id), HistoryName(player_id)};
  Result<std::vector<std::optional<Document>>> documents =
      co_await store_.LoadMany(kPartition, std::move(names));
  if (!documents) co_return std::move(documents).error();
  PlayerState state;
  if (const std::optional<Document>& owner = (*documents)[0]) {
    state.seek_id = owner->body;
    state.owner_version = owner->version;
  }
  Result<HistoryEntry> history = ReadEntry<stored_pb::StoredHistory>((*documents)[1]);
  if (!history) co_return std::move(history).error();
  state.history = *std::move(history);
  co_return state;
}

Task<Result<HistoryEntry>> SeekStore::HistoryOf(std::string player_id) {
  Result<std::optional<Document>> document =
      co_await store_.Load(kPartition, HistoryName(player_id));
  co_return ReadEntry<stored_pb::StoredHistory>(document);
}

Task<Result<bool>> SeekStore::PutNew(SeekEntry seek, livestore::Version owner_version,
                                     TimePoint unwatched_at) {
  const std::string seek_id = seek.value.seek().seek_id();
  Transaction transaction;
  transaction.partition = kPartition;
  transaction.changes.push_back(ChangeOf(seek));
  Change& owner = transaction.changes.emplace_back();
  owner.name = OwnerName(seek.value.seek().player().player_id());
  owner.expected_version = owner_version;
  owner.put_body = seek_id;
  owner.time_to_live = kKeepPlayer;
  transaction.changes.push_back(WatchOf(seek_id, unwatched_at));
  return CommitIn(store_, std::move(transaction));
}

Task<Result<bool>> SeekStore::Put(std::vector<SeekEntry> seeks) {
  return Put(std::move(seeks), {});
}

Task<Result<bool>> SeekStore::Put(std::vector<SeekEntry> seeks,
                                  std::vector<PlayerHistory> histories) {
  Transaction transaction;
  transaction.partition = kPartition;
  for (const SeekEntry& entry : seeks) {
    transaction.changes.push_back(ChangeOf(entry));
    if (IsOpen(SeekStateOf(entry.value))) continue;
    transaction.changes.push_back(WatchOf(entry.value.seek().seek_id(), std::nullopt));
  }
  for (const PlayerHistory& history : histories) {
    Change& change = transaction.changes.emplace_back();
    change.name = HistoryName(history.player_id);
    change.expected_version = history.entry.version;
    change.put_body = history.entry.value.SerializeAsString();
    change.time_to_live = kKeepPlayer;
  }
  return CommitIn(store_, std::move(transaction));
}

Task<Status> SeekStore::Touch(std::vector<std::string> seek_ids, TimePoint unwatched_at) {
  std::vector<Task<Result<bool>>> commits;
  for (std::size_t begin = 0; begin < seek_ids.size(); begin += livestore::kMaxChanges) {
    Transaction transaction;
    transaction.partition = kPartition;
    const std::size_t end = std::min(seek_ids.size(), begin + livestore::kMaxChanges);
    for (std::size_t i = begin; i < end; ++i) {
      transaction.changes.push_back(WatchOf(seek_ids[i], unwatched_at));
    }
    commits.push_back(CommitIn(store_, std::move(transaction)));
  }
  std::vector<Result<bool>> results = co_await WhenAll(std::move(commits));
  for (Result<bool>& result : results) {
    if (!result) co_return std::move(result).error();
  }
  co_return Status();
}

Task<Status> SeekStore::ForgetWatch(std::string seek_id) {
  Transaction transaction;
  transaction.partition = kPartition;
  transaction.changes.push_back(WatchOf(seek_id, std::nullopt));
  Result<bool> committed = co_await CommitIn(store_, std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Status();
}

Task<Result<std::vector<WaitingSeek>>> SeekStore::Waiting() {
  std::vector<WaitingSeek> waiting;
  livestore::IndexQuery query;
  query.partition = kPartition;
  query.index = kWaiting;
  for (;;) {
    livestore::IndexQuery page = query;
    Result<std::vector<livestore::IndexEntry>> entries = co_await store_.ReadIndex(std::move(page));
    if (!entries) co_return std::move(entries).error();
    for (const livestore::IndexEntry& entry : *entries) {
      waiting.push_back({entry.name.substr(entry.name.rfind('/') + 1), entry.score});
    }
    if (static_cast<std::int64_t>(entries->size()) < kPage) co_return waiting;
    query.after = entries->back();
  }
}

Task<Result<std::vector<WaitingSeek>>> SeekStore::Waiting(std::string variant, int limit) {
  livestore::IndexQuery query;
  query.partition = kPartition;
  query.index = WaitingIndex(variant);
  query.limit = limit;
  Result<std::vector<livestore::IndexEntry>> entries = co_await store_.ReadIndex(std::move(query));
  if (!entries) co_return std::move(entries).error();
  std::vector<WaitingSeek> waiting;
  for (const livestore::IndexEntry& entry : *entries) {
    waiting.push_back({entry.name.substr(entry.name.rfind('/') + 1), entry.score});
  }
  co_return waiting;
}

Task<Result<std::int64_t>> SeekStore::CountWaiting(std::string variant) {
  return store_.CountIndex(kPartition, WaitingIndex(variant), -livestore::kMaxScore,
                           livestore::kMaxScore);
}

Task<Result<std::vector<std::string>>> SeekStore::Before(std::string index, TimePoint instant) {
  livestore::IndexQuery query;
  query.partition = kPartition;
  query.index = std::move(index);
  query.max_score = ToUnixMillis(instant);
  query.limit = kSeekBatch;
  return NamesIn(store_, std::move(query));
}

Task<Result<std::vector<std::string>>> SeekStore::PairedBefore(TimePoint instant) {
  return Before(kPaired, instant);
}

Task<Result<std::vector<std::string>>> SeekStore::OfferedUntil(TimePoint instant) {
  return Before(kOffered, instant);
}

Task<Result<std::vector<std::string>>> SeekStore::UnwatchedBefore(TimePoint instant) {
  return Before(kUnwatched, instant);
}

Task<Result<SeekStore::Lease>> SeekStore::TakeLease(std::string job, std::string holder,
                                                    TimePoint now, TimePoint until) {
  const std::string name = "lease/" + job;
  Result<std::optional<Document>> document = co_await store_.Load(kPartition, name);
  Result<Versioned<stored_pb::StoredLease>> entry = ReadEntry<stored_pb::StoredLease>(document);
  if (!entry) co_return std::move(entry).error();
  const TimePoint theirs = FromUnixMillis(entry->value.until_ms());
  if (entry->value.holder() != holder && now < theirs) co_return Lease{false, theirs};
  entry->value.set_holder(holder);
  entry->value.set_until_ms(ToUnixMillis(until));
  Transaction transaction;
  transaction.partition = kPartition;
  Change& change = transaction.changes.emplace_back();
  change.name = name;
  change.expected_version = entry->version;
  change.put_body = entry->value.SerializeAsString();
  Result<bool> committed = co_await CommitIn(store_, std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Lease{*committed, *committed ? until : now};
}

Task<Result<std::int64_t>> SeekStore::AverageWait(std::string kind) {
  Result<std::optional<Document>> document = co_await store_.Load(kPartition, "pace/" + kind);
  Result<Versioned<stored_pb::StoredPace>> entry = ReadEntry<stored_pb::StoredPace>(document);
  if (!entry) co_return std::move(entry).error();
  co_return entry->value.average_wait_ms();
}

Task<Status> SeekStore::SetAverageWait(std::string kind, std::int64_t wait_ms) {
  stored_pb::StoredPace pace;
  pace.set_average_wait_ms(wait_ms);
  Transaction transaction;
  transaction.partition = kPartition;
  Change& change = transaction.changes.emplace_back();
  change.name = "pace/" + kind;
  change.expected_version = livestore::kAnyVersion;
  change.put_body = pace.SerializeAsString();
  change.time_to_live = kKeepPace;
  Result<bool> committed = co_await CommitIn(store_, std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Status();
}

}  // namespace komadai::matchmaking
