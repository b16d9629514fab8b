#include "libs/rpc/server/connection_calls.h"

#include <utility>

#include "libs/base/check.h"

namespace komadai::rpc {

ConnectionCalls::Place::Place(ConnectionCalls& calls, std::string peer)
    : calls_(calls), peer_(std::move(peer)) {
  calls_.Enter(peer_);
}

ConnectionCalls::Place::~Place() { calls_.Leave(peer_); }

void ConnectionCalls::Place::Trust() { calls_.Trust(peer_); }

// In process and on unix sockets all connections have one name, and are trusted.
bool ConnectionCalls::Counts(std::string_view peer) const {
  return most_ > 0 && peer.starts_with("ipv");
}

ConnectionCalls::Shard& ConnectionCalls::ShardOf(const std::string& peer) {
  return shards_[std::hash<std::string>()(peer) % kShards];
}

void ConnectionCalls::Enter(const std::string& peer) {
  if (!Counts(peer)) return;
  Shard& shard = ShardOf(peer);
  {
    const MutexLock lock(shard.mutex);
    Connection& connection = shard.connections[peer];
    if (++connection.calls <= most_ || connection.cut || connection.trusted) return;
    connection.cut = true;
  }
  if (cut_) cut_(peer);
}

void ConnectionCalls::Trust(const std::string& peer) {
  if (!Counts(peer)) return;
  Shard& shard = ShardOf(peer);
  const MutexLock lock(shard.mutex);
  shard.connections[peer].trusted = true;
}

void ConnectionCalls::Leave(const std::string& peer) {
  if (!Counts(peer)) return;
  Shard& shard = ShardOf(peer);
  const MutexLock lock(shard.mutex);
  const auto found = shard.connections.find(peer);
  KOMADAI_CHECK(found != shard.connections.end());
  if (--found->second.calls == 0) shard.connections.erase(found);
}

}  // namespace komadai::rpc
