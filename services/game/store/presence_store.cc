#include "services/game/store/presence_store.h"

#include <algorithm>
#include <map>
#include <utility>

#include "komadai/internal/v1/live_game.pb.h"
#include "libs/livestore/shard.h"
#include "services/game/store/game_store.h"

namespace komadai::game {
namespace {

// Longer than any claim waits to be made; a player unheard of for that long has left.
constexpr Millis kForget{std::int64_t{8} * 24 * 3600 * 1000};

std::string PartitionOf(const std::string& player_id) {
  return "player:" + std::to_string(livestore::Shard(player_id, GameStore::kShards));
}

// No game of a player has such a name: ids are printable.
std::string DocumentOf(const std::string& player_id) { return "\tpresence/" + player_id; }

}  // namespace

Task<Status> PresenceStore::Set(std::vector<std::string> player_ids, TimePoint until) {
  internal::v1::StoredPresence presence;
  presence.set_until_ms(ToUnixMillis(until));
  const std::string body = presence.SerializeAsString();
  std::map<std::string, std::vector<std::string>> by_partition;
  for (std::string& player_id : player_ids) {
    by_partition[PartitionOf(player_id)].push_back(std::move(player_id));
  }
  for (const auto& [partition, players] : by_partition) {
    for (std::size_t begin = 0; begin < players.size(); begin += livestore::kMaxChanges) {
      livestore::Transaction transaction;
      transaction.partition = partition;
      const std::size_t end = std::min(players.size(), begin + livestore::kMaxChanges);
      for (std::size_t i = begin; i < end; ++i) {
        livestore::Change& change = transaction.changes.emplace_back();
        change.name = DocumentOf(players[i]);
        change.expected_version = livestore::kAnyVersion;
        change.put_body = body;
        change.time_to_live = kForget;
      }
      Result<livestore::CommitOutcome> outcome = co_await store_.Commit(std::move(transaction));
      if (!outcome) co_return std::move(outcome).error();
    }
  }
  co_return Status();
}

Task<Result<TimePoint>> PresenceStore::SeenUntil(std::string player_id) {
  Result<std::optional<livestore::Document>> document =
      co_await store_.Load(PartitionOf(player_id), DocumentOf(player_id));
  if (!document) co_return std::move(document).error();
  internal::v1::StoredPresence presence;
  if (!*document || !presence.ParseFromString((*document)->body)) co_return TimePoint{};
  co_return FromUnixMillis(presence.until_ms());
}

}  // namespace komadai::game
