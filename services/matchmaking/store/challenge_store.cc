#include "services/matchmaking/store/challenge_store.h"

#include <algorithm>
#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"
#include "libs/livestore/shard.h"

namespace komadai::matchmaking {
namespace {

namespace pb = ::komadai::matchmaking::v1;
using livestore::Change;
using livestore::Document;
using livestore::Transaction;

// Longer than any challenge lives, so that its final state can still be read.
constexpr Millis kKeepChallenge{std::int64_t{8} * 86400 * 1000};
constexpr Millis kKeepRematch{std::int64_t{86400} * 1000};
constexpr int kChallengeBatch = 100;
constexpr char kToFinish[] = "to-finish";
constexpr char kRooms[] = "rooms";

std::string ChallengePartition(int shard) { return "challenges:" + std::to_string(shard); }
std::string ChallengePartition(const std::string& id) {
  return ChallengePartition(livestore::Shard(id, ChallengeStore::kShards));
}
std::string RematchPartition(const std::string& game_id) {
  return "rematches:" + std::to_string(livestore::Shard(game_id, ChallengeStore::kShards));
}
std::string OpenPartition(const std::string& player_id) {
  return "challengers:" + std::to_string(livestore::Shard(player_id, ChallengeStore::kShards));
}

std::string RoomsIndex(const std::string& variant) {
  return variant.empty() ? kRooms : std::string(kRooms) + "/" + variant;
}

std::string RoomVariantOf(const pb::Challenge& challenge) {
  const auto variant = convert::VariantFromProto(challenge.terms().setup().variant());
  return variant ? std::string(rules::VariantName(*variant)) : "other";
}

// Commits one document.
Task<Result<bool>> PutOne(livestore::LiveStore& store, std::string partition, Change change) {
  Transaction transaction;
  transaction.partition = std::move(partition);
  transaction.changes.push_back(std::move(change));
  return CommitIn(store, std::move(transaction));
}

// The change that stores an entry under this name and forgets it after `keep`.
template <typename Proto>
Change EntryChangeOf(std::string name, const Versioned<Proto>& entry, Millis keep) {
  Change change;
  change.name = std::move(name);
  change.expected_version = entry.version;
  change.put_body = entry.value.SerializeAsString();
  change.time_to_live = keep;
  return change;
}

}  // namespace

Task<Result<ChallengeEntry>> ChallengeStore::Load(std::string challenge_id) {
  Result<std::optional<Document>> document =
      co_await store_.Load(ChallengePartition(challenge_id), "challenge/" + challenge_id);
  co_return ReadEntry<stored_pb::StoredChallenge>(document);
}

Task<Result<bool>> ChallengeStore::Put(ChallengeEntry entry) {
  const pb::Challenge& challenge = entry.value.challenge();
  const bool to_finish =
      challenge.state() == pb::CHALLENGE_STATE_ACCEPTED && challenge.game_id().empty();
  const bool room = challenge.listed() && challenge.state() == pb::CHALLENGE_STATE_OPEN;
  // A document in an index stays until it is swept.
  const Millis keep = to_finish || room ? Millis(0) : kKeepChallenge;
  Change change = EntryChangeOf("challenge/" + challenge.challenge_id(), entry, keep);
  const auto score = [&challenge](bool member) {
    return member ? std::optional(challenge.expires_at_ms()) : std::nullopt;
  };
  change.indexes.push_back({kToFinish, score(to_finish)});
  change.indexes.push_back({kRooms, score(room)});
  change.indexes.push_back({RoomsIndex(RoomVariantOf(challenge)), score(room)});
  return PutOne(store_, ChallengePartition(challenge.challenge_id()), std::move(change));
}

Task<Result<std::vector<std::string>>> ChallengeStore::ToFinish(int shard) {
  livestore::IndexQuery query;
  query.partition = ChallengePartition(shard);
  query.index = kToFinish;
  query.limit = kChallengeBatch;
  return NamesIn(store_, std::move(query));
}

Task<Result<std::vector<std::string>>> ChallengeStore::LapsedRooms(int shard, TimePoint now) {
  livestore::IndexQuery query;
  query.partition = ChallengePartition(shard);
  query.index = kRooms;
  query.max_score = ToUnixMillis(now);
  query.limit = kChallengeBatch;
  return NamesIn(store_, std::move(query));
}

Task<Result<std::vector<OpenRoom>>> ChallengeStore::Rooms(std::string variant, TimePoint now,
                                                          int limit) {
  std::vector<Task<Result<std::vector<livestore::IndexEntry>>>> reads;
  for (int shard = 0; shard < kShards; ++shard) {
    livestore::IndexQuery query;
    query.partition = ChallengePartition(shard);
    query.index = RoomsIndex(variant);
    query.min_score = ToUnixMillis(now) + 1;
    query.limit = limit;
    reads.push_back(store_.ReadIndex(std::move(query)));
  }
  std::vector<Result<std::vector<livestore::IndexEntry>>> pages =
      co_await WhenAll(std::move(reads));
  std::vector<OpenRoom> rooms;
  for (Result<std::vector<livestore::IndexEntry>>& page : pages) {
    if (!page) co_return std::move(page).error();
    for (const livestore::IndexEntry& entry : *page) {
      rooms.push_back({entry.name.substr(entry.name.rfind('/') + 1), entry.score});
    }
  }
  std::sort(rooms.begin(), rooms.end(), [](const OpenRoom& a, const OpenRoom& b) {
    if (a.expires_at_ms != b.expires_at_ms) return a.expires_at_ms < b.expires_at_ms;
    return a.challenge_id < b.challenge_id;
  });
  if (rooms.size() > static_cast<std::size_t>(limit)) rooms.resize(static_cast<std::size_t>(limit));
  co_return rooms;
}

Task<Result<OpenChallengesEntry>> ChallengeStore::LoadOpen(std::string player_id) {
  Result<std::optional<Document>> document =
      co_await store_.Load(OpenPartition(player_id), "open/" + player_id);
  co_return ReadEntry<stored_pb::StoredOpenChallenges>(document);
}

Task<Result<bool>> ChallengeStore::PutOpen(std::string player_id, OpenChallengesEntry open) {
  return PutOne(store_, OpenPartition(player_id),
                EntryChangeOf("open/" + player_id, open, kKeepChallenge));
}

Task<Result<RematchEntry>> ChallengeStore::LoadRematch(std::string game_id) {
  Result<std::optional<Document>> document =
      co_await store_.Load(RematchPartition(game_id), "rematch/" + game_id);
  co_return ReadEntry<stored_pb::StoredRematch>(document);
}

Task<Result<bool>> ChallengeStore::PutRematch(std::string game_id, RematchEntry entry) {
  return PutOne(store_, RematchPartition(game_id),
                EntryChangeOf("rematch/" + game_id, entry, kKeepRematch));
}

}  // namespace komadai::matchmaking
