#include "services/clock/store/clock_cache.h"

#include <algorithm>

namespace komadai::clock {

ClockCache::ClockCache(std::size_t capacity)
    : capacity_per_part_(std::max<std::size_t>(capacity / kLocks, 1)) {}

std::optional<StoredClock> ClockCache::Find(const std::string& game_id) {
  Part& part = PartOf(game_id);
  const std::lock_guard lock(part.mutex);
  const auto found = part.by_game.find(game_id);
  if (found == part.by_game.end()) return std::nullopt;
  part.entries.splice(part.entries.begin(), part.entries, found->second);
  return found->second->second;
}

void ClockCache::Put(const std::string& game_id, const StoredClock& stored) {
  Part& part = PartOf(game_id);
  const std::lock_guard lock(part.mutex);
  const auto found = part.by_game.find(game_id);
  if (found != part.by_game.end()) {
    if (found->second->second.version < stored.version) found->second->second = stored;
    part.entries.splice(part.entries.begin(), part.entries, found->second);
    return;
  }
  part.entries.emplace_front(game_id, stored);
  part.by_game.emplace(game_id, part.entries.begin());
  if (part.entries.size() > capacity_per_part_) {
    part.by_game.erase(part.entries.back().first);
    part.entries.pop_back();
  }
}

void ClockCache::Erase(const std::string& game_id) {
  Part& part = PartOf(game_id);
  const std::lock_guard lock(part.mutex);
  const auto found = part.by_game.find(game_id);
  if (found == part.by_game.end()) return;
  part.entries.erase(found->second);
  part.by_game.erase(found);
}

std::size_t ClockCache::size() const {
  std::size_t size = 0;
  for (const Part& part : parts_) {
    const std::lock_guard lock(part.mutex);
    size += part.entries.size();
  }
  return size;
}

}  // namespace komadai::clock
