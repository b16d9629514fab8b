#include "services/matchmaking/app/lobby_board.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "libs/base/when_all.h"
#include "libs/convert/variant.h"

namespace komadai::matchmaking {
namespace {

constexpr common_pb::Variant kVariants[] = {common_pb::VARIANT_SHOGI, common_pb::VARIANT_MINISHOGI,
                                            common_pb::VARIANT_XIANGQI};
constexpr Millis kCountsAge{2000};
constexpr Millis kLobbyTimeout{3000};

// Keeps what is listed; a lobby forgets what has left it.
template <typename Known, typename Listed>
void KeepOnly(Known& known, const Listed& listed) {
  std::erase_if(known, [&](const auto& entry) { return !listed.contains(entry.first); });
}

template <typename List, typename IdOf>
std::unordered_set<std::string> IdsOf(const List& list, const IdOf& id_of) {
  std::unordered_set<std::string> ids;
  for (const auto& entry : list) ids.insert(id_of(entry));
  return ids;
}

LobbyBoard::Message DifferenceOf(const pb::Lobby& before, const pb::Lobby& after) {
  auto message = std::make_shared<pb::WatchLobbyResponse>();
  pb::LobbyChanges& changes = *message->mutable_changes();
  const auto seek_id = [](const pb::Seek& seek) { return seek.seek_id(); };
  const auto room_id = [](const pb::Challenge& room) { return room.challenge_id(); };
  const auto seeks_before = IdsOf(before.seeks(), seek_id);
  const auto rooms_before = IdsOf(before.rooms(), room_id);
  const auto seeks_after = IdsOf(after.seeks(), seek_id);
  const auto rooms_after = IdsOf(after.rooms(), room_id);
  for (const pb::Seek& seek : after.seeks()) {
    if (!seeks_before.contains(seek_id(seek))) *changes.add_seeks_added() = seek;
  }
  for (const pb::Challenge& room : after.rooms()) {
    if (!rooms_before.contains(room_id(room))) *changes.add_rooms_added() = room;
  }
  for (const std::string& id : seeks_before) {
    if (!seeks_after.contains(id)) changes.add_seeks_removed(id);
  }
  for (const std::string& id : rooms_before) {
    if (!rooms_after.contains(id)) changes.add_rooms_removed(id);
  }
  pb::Lobby& counts = *changes.mutable_counts();
  counts.set_waiting(after.waiting());
  counts.set_at_ms(after.at_ms());
  counts.set_players_online(after.players_online());
  *counts.mutable_variants() = after.variants();
  return message;
}

}  // namespace

std::optional<std::size_t> LobbyBoard::VersionOf(common_pb::Variant variant) {
  if (variant == common_pb::VARIANT_UNSPECIFIED) return 0;
  for (std::size_t i = 0; i < std::size(kVariants); ++i) {
    if (kVariants[i] == variant) return i + 1;
  }
  return std::nullopt;
}

Task<Result<LobbyBoard::Message>> LobbyBoard::Read(common_pb::Variant variant, Millis age) {
  const std::optional<std::size_t> version = VersionOf(variant);
  if (!version) co_return Error(kInvalidRequest, "unknown variant");
  {
    const MutexLock lock(mutex_);
    const bool fresh = versions_[*version] != nullptr && time_.Now() - read_at_ <= age;
    if (fresh) co_return versions_[*version];
  }
  Result<Changes> changes = co_await Refresh();
  if (!changes) co_return std::move(changes).error();
  co_return changes->versions[*version];
}

Task<Result<LobbyBoard::Part>> LobbyBoard::ReadPart(std::string variant, TimePoint now) {
  Part part;
  Result<std::vector<WaitingSeek>> seeks = co_await seeks_.Waiting(variant, kListed);
  if (!seeks) co_return std::move(seeks).error();
  part.seeks = *std::move(seeks);
  part.waiting = static_cast<std::int64_t>(part.seeks.size());
  if (part.seeks.size() == kListed) {
    Result<std::int64_t> count = co_await seeks_.CountWaiting(variant);
    if (!count) co_return std::move(count).error();
    part.waiting = *count;
  }
  Result<std::vector<OpenRoom>> rooms = co_await challenges_.Rooms(variant, now, kListed);
  if (!rooms) co_return std::move(rooms).error();
  part.rooms = *std::move(rooms);
  co_return part;
}

Task<Result<LobbyBoard::Changes>> LobbyBoard::Refresh() {
  const TimePoint now = time_.Now();
  std::vector<Task<Result<Part>>> reads;
  for (const common_pb::Variant variant : kVariants) {
    reads.push_back(
        ReadPart(std::string(rules::VariantName(*convert::VariantFromProto(variant))), now));
  }
  std::vector<Result<Part>> read = co_await WhenAll(std::move(reads));
  std::array<Part, 3> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!read[i]) co_return std::move(read[i]).error();
    parts[i] = *std::move(read[i]);
  }
  Status known = co_await ReadNew(parts);
  if (!known) co_return std::move(known).error();
  co_await ReadCounts(now);
  co_return Publish(Compose(parts), now);
}

Task<Status> LobbyBoard::ReadNew(std::array<Part, 3> parts) {
  std::vector<std::string> seek_ids;
  std::vector<std::string> room_ids;
  {
    const MutexLock lock(mutex_);
    for (const Part& part : parts) {
      for (const WaitingSeek& seek : part.seeks) {
        if (!known_seeks_.contains(seek.seek_id)) seek_ids.push_back(seek.seek_id);
      }
      for (const OpenRoom& room : part.rooms) {
        if (!known_rooms_.contains(room.challenge_id)) room_ids.push_back(room.challenge_id);
      }
    }
  }
  Result<std::vector<SeekEntry>> seeks = co_await seeks_.LoadAll(seek_ids);
  if (!seeks) co_return std::move(seeks).error();
  std::vector<Task<Result<ChallengeEntry>>> loads;
  for (const std::string& room_id : room_ids) loads.push_back(challenges_.Load(room_id));
  std::vector<Result<ChallengeEntry>> rooms = co_await WhenAll(std::move(loads));
  const MutexLock lock(mutex_);
  for (SeekEntry& entry : *seeks) {
    if (!IsWaiting(entry)) continue;
    const std::string seek_id = entry.value.seek().seek_id();
    known_seeks_[seek_id] = std::move(*entry.value.mutable_seek());
  }
  for (Result<ChallengeEntry>& entry : rooms) {
    if (!entry || entry->value.challenge().state() != pb::CHALLENGE_STATE_OPEN) continue;
    const std::string room_id = entry->value.challenge().challenge_id();
    known_rooms_[room_id] = std::move(*entry->value.mutable_challenge());
  }
  co_return Status();
}

Task<void> LobbyBoard::ReadCounts(TimePoint now) {
  {
    const MutexLock lock(mutex_);
    if (now - counted_at_ < kCountsAge) co_return;
    counted_at_ = now;
  }
  Result<int> players = co_await attendance_.Total(now);
  const rpc::Call call = rpc::Call::Background("lobby", time_, kLobbyTimeout);
  Result<GamePort::Counts> games = co_await games_.CountLive(call);
  const MutexLock lock(mutex_);  // what cannot be had stays as it was
  if (players) players_online_ = *players;
  if (games) live_games_ = *std::move(games);
}

std::array<pb::Lobby, 4> LobbyBoard::Compose(const std::array<Part, 3>& parts) {
  std::array<pb::Lobby, 4> lobbies;
  std::array<std::vector<WaitingSeek>, 4> seeks;
  std::array<std::vector<OpenRoom>, 4> rooms;
  std::unordered_map<std::string, int> listed;
  std::int64_t waiting = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    seeks[i + 1] = parts[i].seeks;
    rooms[i + 1] = parts[i].rooms;
    seeks[0].insert(seeks[0].end(), parts[i].seeks.begin(), parts[i].seeks.end());
    rooms[0].insert(rooms[0].end(), parts[i].rooms.begin(), parts[i].rooms.end());
    lobbies[i + 1].set_waiting(static_cast<int>(parts[i].waiting));
    waiting += parts[i].waiting;
    for (const WaitingSeek& seek : parts[i].seeks) listed[seek.seek_id] = 1;
    for (const OpenRoom& room : parts[i].rooms) listed[room.challenge_id] = 1;
  }
  lobbies[0].set_waiting(static_cast<int>(waiting));
  std::sort(seeks[0].begin(), seeks[0].end(), [](const WaitingSeek& a, const WaitingSeek& b) {
    return a.since_ms != b.since_ms ? a.since_ms < b.since_ms : a.seek_id < b.seek_id;
  });
  std::sort(rooms[0].begin(), rooms[0].end(), [](const OpenRoom& a, const OpenRoom& b) {
    if (a.expires_at_ms != b.expires_at_ms) return a.expires_at_ms < b.expires_at_ms;
    return a.challenge_id < b.challenge_id;
  });
  const MutexLock lock(mutex_);
  KeepOnly(known_seeks_, listed);
  KeepOnly(known_rooms_, listed);
  for (std::size_t version = 0; version < lobbies.size(); ++version) {
    pb::Lobby& lobby = lobbies[version];
    for (const WaitingSeek& seek : seeks[version]) {
      const auto found = known_seeks_.find(seek.seek_id);
      if (lobby.seeks_size() < kListed && found != known_seeks_.end()) {
        *lobby.add_seeks() = found->second;
      }
    }
    for (const OpenRoom& room : rooms[version]) {
      const auto found = known_rooms_.find(room.challenge_id);
      if (lobby.rooms_size() < kListed && found != known_rooms_.end()) {
        *lobby.add_rooms() = found->second;
      }
    }
    lobby.set_players_online(players_online_);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      pb::LobbyVariant& variant = *lobby.add_variants();
      variant.set_variant(kVariants[i]);
      variant.set_waiting(static_cast<int>(parts[i].waiting));
      variant.set_live_games(live_games_[kVariants[i]]);
    }
  }
  return lobbies;
}

LobbyBoard::Changes LobbyBoard::Publish(std::array<pb::Lobby, 4> lobbies, TimePoint now) {
  Changes changes;
  const MutexLock lock(mutex_);
  read_at_ = now;
  for (std::size_t version = 0; version < lobbies.size(); ++version) {
    std::string text = lobbies[version].SerializeAsString();
    changes.changed[version] = text != last_[version];
    if (changes.changed[version] || versions_[version] == nullptr) {
      last_[version] = std::move(text);
      auto message = std::make_shared<pb::WatchLobbyResponse>();
      *message->mutable_lobby() = std::move(lobbies[version]);
      message->mutable_lobby()->set_at_ms(ToUnixMillis(now));
      if (versions_[version] != nullptr) {
        changes.before[version] = versions_[version];
        changes.differences[version] = DifferenceOf(versions_[version]->lobby(), message->lobby());
      }
      versions_[version] = std::move(message);
    }
    changes.versions[version] = versions_[version];
  }
  return changes;
}

}  // namespace komadai::matchmaking
