#include "services/matchmaking/store/match_store.h"

#include <utility>

#include "libs/livestore/shard.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

namespace pb = ::komadai::matchmaking::v1;
using livestore::Change;
using livestore::Document;
using livestore::Transaction;

constexpr Millis kKeepClosed{std::int64_t{600} * 1000};  // a closed seek stays readable
// Longer than any challenge lives, so that its end can still be read.
constexpr Millis kKeepChallenge{std::int64_t{8} * 86400 * 1000};
constexpr Millis kKeepRematch{std::int64_t{86400} * 1000};
constexpr char kUnwatched[] = "unwatched";
constexpr char kPaired[] = "paired";
constexpr char kWaiting[] = "waiting";
constexpr char kToFinish[] = "to-finish";

std::string OwnerName(const std::string& player_id) { return "player/" + player_id; }
std::string WatchName(const std::string& seek_id) { return "watch/" + seek_id; }
std::string PoolIndex(const std::string& pool) {
  // Pools are serialised terms of any length: a name of a fixed one, equal for equal pools.
  std::uint64_t a = 14695981039346656037ull;
  std::uint64_t b = 1099511628211ull;
  for (const char c : pool) {
    a = (a ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    b = (b + static_cast<unsigned char>(c)) * 6364136223846793005ull + 1442695040888963407ull;
  }
  return "pool/" + std::to_string(a) + "-" + std::to_string(b);
}

std::string ChallengePartition(const std::string& id) {
  return "challenges:" + std::to_string(livestore::Shard(id, MatchStore::kShards));
}
std::string RematchPartition(const std::string& game_id) {
  return "rematches:" + std::to_string(livestore::Shard(game_id, MatchStore::kShards));
}

template <typename Proto>
Result<Versioned<Proto>> Read(const Result<std::optional<Document>>& document,
                              const std::string& name) {
  if (!document) return document.error();
  Versioned<Proto> entry;
  if (!*document) return entry;
  if (!entry.value.ParseFromString((*document)->body)) {
    return Error{kCorruptEntry, "a stored entry cannot be read", {{"name", name}}};
  }
  entry.version = (*document)->version;
  return entry;
}

bool Closed(pb::SeekState state) {
  return state != pb::SEEK_STATE_WAITING && state != pb::SEEK_STATE_PAIRED;
}

// How a seek's document changes with its state.
Change ChangeOf(const SeekEntry& entry) {
  const pb::Seek& seek = entry.value.seek();
  Change change;
  change.name = "seek/" + seek.seek_id();
  change.expected_version = entry.version;
  change.put_body = entry.value.SerializeAsString();
  change.events.push_back(seek.SerializeAsString());
  const bool waiting = seek.state() == pb::SEEK_STATE_WAITING;
  const auto since = waiting ? std::optional(seek.created_at_ms()) : std::nullopt;
  change.indexes.push_back({kWaiting, since});
  for (const std::string& pool : entry.value.pools())
    change.indexes.push_back({PoolIndex(pool), since});
  change.indexes.push_back({kPaired, seek.state() == pb::SEEK_STATE_PAIRED
                                         ? std::optional(seek.created_at_ms())
                                         : std::nullopt});
  if (Closed(seek.state())) change.time_to_live = kKeepClosed;
  return change;
}

}  // namespace

Task<Result<bool>> MatchStore::Commit(Transaction transaction) {
  Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
  if (!outcome) co_return std::move(outcome).error();
  co_return outcome->committed();
}

Task<Result<std::vector<std::string>>> MatchStore::Names(livestore::IndexQuery query) {
  Result<std::vector<livestore::IndexEntry>> entries = co_await store_.ReadIndex(std::move(query));
  if (!entries) co_return std::move(entries).error();
  std::vector<std::string> names;
  for (const livestore::IndexEntry& entry : *entries) {
    names.push_back(entry.name.substr(entry.name.find('/') + 1));
  }
  co_return names;
}

Task<Result<SeekEntry>> MatchStore::LoadSeek(std::string seek_id) {
  const std::string name = "seek/" + seek_id;
  Result<std::optional<Document>> document = co_await store_.Load(kSeeks, name);
  co_return Read<stored_pb::StoredSeek>(document, name);
}

Task<Result<Versioned<std::string>>> MatchStore::SeekOfPlayer(std::string player_id) {
  Result<std::optional<Document>> document = co_await store_.Load(kSeeks, OwnerName(player_id));
  if (!document) co_return std::move(document).error();
  Versioned<std::string> owner;
  if (*document) {
    owner.value = (*document)->body;
    owner.version = (*document)->version;
  }
  co_return owner;
}

Task<Result<bool>> MatchStore::PutNewSeek(SeekEntry seek, livestore::Version owner_version,
                                          TimePoint unwatched_at) {
  const std::string seek_id = seek.value.seek().seek_id();
  Transaction transaction;
  transaction.partition = kSeeks;
  transaction.changes.push_back(ChangeOf(seek));
  Change& owner = transaction.changes.emplace_back();
  owner.name = OwnerName(seek.value.seek().player().player_id());
  owner.expected_version = owner_version;
  owner.put_body = seek_id;
  owner.time_to_live = kKeepChallenge;
  Change& watch = transaction.changes.emplace_back();
  watch.name = WatchName(seek_id);
  watch.expected_version = livestore::kAnyVersion;
  watch.indexes.push_back({kUnwatched, ToUnixMillis(unwatched_at)});
  Result<bool> committed = co_await Commit(std::move(transaction));
  co_return committed;
}

Task<Result<bool>> MatchStore::PutSeeks(std::vector<SeekEntry> seeks) {
  Transaction transaction;
  transaction.partition = kSeeks;
  for (const SeekEntry& entry : seeks) {
    transaction.changes.push_back(ChangeOf(entry));
    if (Closed(entry.value.seek().state())) {
      Change& watch = transaction.changes.emplace_back();
      watch.name = WatchName(entry.value.seek().seek_id());
      watch.expected_version = livestore::kAnyVersion;
      watch.delete_document = true;
    }
  }
  Result<bool> committed = co_await Commit(std::move(transaction));
  co_return committed;
}

Task<Status> MatchStore::Touch(std::string seek_id, TimePoint unwatched_at) {
  Transaction transaction;
  transaction.partition = kSeeks;
  Change& watch = transaction.changes.emplace_back();
  watch.name = WatchName(seek_id);
  watch.expected_version = livestore::kAnyVersion;
  watch.indexes.push_back({kUnwatched, ToUnixMillis(unwatched_at)});
  Result<bool> committed = co_await Commit(std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Status();
}

Task<Status> MatchStore::ForgetWatch(std::string seek_id) {
  Transaction transaction;
  transaction.partition = kSeeks;
  Change& watch = transaction.changes.emplace_back();
  watch.name = WatchName(seek_id);
  watch.expected_version = livestore::kAnyVersion;
  watch.delete_document = true;
  Result<bool> committed = co_await Commit(std::move(transaction));
  if (!committed) co_return std::move(committed).error();
  co_return Status();
}

Task<Result<std::vector<std::string>>> MatchStore::WaitingInPool(std::string pool, int limit) {
  livestore::IndexQuery query;
  query.partition = kSeeks;
  query.index = PoolIndex(pool);
  query.limit = limit;
  return Names(std::move(query));
}

Task<Result<std::vector<std::string>>> MatchStore::Waiting(int limit) {
  livestore::IndexQuery query;
  query.partition = kSeeks;
  query.index = kWaiting;
  query.limit = limit;
  return Names(std::move(query));
}

Task<Result<std::int64_t>> MatchStore::CountWaiting() {
  return store_.CountIndex(kSeeks, kWaiting, -livestore::kMaxScore, livestore::kMaxScore);
}

Task<Result<std::int64_t>> MatchStore::CountPool(std::string pool) {
  return store_.CountIndex(kSeeks, PoolIndex(pool), -livestore::kMaxScore, livestore::kMaxScore);
}

Task<Result<std::vector<std::string>>> MatchStore::PairedBefore(TimePoint instant, int limit) {
  livestore::IndexQuery query;
  query.partition = kSeeks;
  query.index = kPaired;
  query.max_score = ToUnixMillis(instant);
  query.limit = limit;
  return Names(std::move(query));
}

Task<Result<std::vector<std::string>>> MatchStore::UnwatchedBefore(TimePoint instant, int limit) {
  livestore::IndexQuery query;
  query.partition = kSeeks;
  query.index = kUnwatched;
  query.max_score = ToUnixMillis(instant);
  query.limit = limit;
  return Names(std::move(query));
}

Task<Result<ChallengeEntry>> MatchStore::LoadChallenge(std::string challenge_id) {
  const std::string name = "challenge/" + challenge_id;
  Result<std::optional<Document>> document =
      co_await store_.Load(ChallengePartition(challenge_id), name);
  co_return Read<stored_pb::StoredChallenge>(document, name);
}

Task<Result<bool>> MatchStore::PutChallenge(ChallengeEntry entry) {
  const pb::Challenge& challenge = entry.value.challenge();
  Transaction transaction;
  transaction.partition = ChallengePartition(challenge.challenge_id());
  Change& change = transaction.changes.emplace_back();
  change.name = "challenge/" + challenge.challenge_id();
  change.expected_version = entry.version;
  change.put_body = entry.value.SerializeAsString();
  const bool to_finish =
      challenge.state() == pb::CHALLENGE_STATE_ACCEPTED && challenge.game_id().empty();
  change.indexes.push_back(
      {kToFinish, to_finish ? std::optional(challenge.expires_at_ms()) : std::nullopt});
  change.time_to_live = to_finish ? Millis(0) : kKeepChallenge;
  Result<bool> committed = co_await Commit(std::move(transaction));
  co_return committed;
}

Task<Result<std::vector<std::string>>> MatchStore::ChallengesToFinish(int shard) {
  livestore::IndexQuery query;
  query.partition = "challenges:" + std::to_string(shard);
  query.index = kToFinish;
  query.limit = 100;
  return Names(std::move(query));
}

Task<Result<RematchEntry>> MatchStore::LoadRematch(std::string game_id) {
  const std::string name = "rematch/" + game_id;
  Result<std::optional<Document>> document = co_await store_.Load(RematchPartition(game_id), name);
  co_return Read<stored_pb::StoredRematch>(document, name);
}

Task<Result<bool>> MatchStore::PutRematch(std::string game_id, RematchEntry entry) {
  Transaction transaction;
  transaction.partition = RematchPartition(game_id);
  Change& change = transaction.changes.emplace_back();
  change.name = "rematch/" + game_id;
  change.expected_version = entry.version;
  change.put_body = entry.value.SerializeAsString();
  change.time_to_live = kKeepRematch;
  Result<bool> committed = co_await Commit(std::move(transaction));
  co_return committed;
}

}  // namespace komadai::matchmaking
