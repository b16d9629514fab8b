// ClockCache: recently used clocks of this process, so that a press needs no load before its
// commit.
//
// What it holds may be out of date (another replica may have changed the clock): good enough to
// decide a commit, which compares the version; never to refuse a command. Bounded; the least
// recently used clock of a shard goes first. Thread-safe.
#pragma once

#include <array>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include "services/clock/store/clock_store.h"

namespace komadai::clock {

class ClockCache {
 public:
  explicit ClockCache(std::size_t capacity);

  std::optional<StoredClock> Find(const std::string& game_id);
  // A newer version that somebody else has put meanwhile stays.
  void Put(const std::string& game_id, const StoredClock& stored);
  void Erase(const std::string& game_id);
  std::size_t size() const;

 private:
  static constexpr std::size_t kLocks = 16;
  using Entries = std::list<std::pair<std::string, StoredClock>>;
  struct Part {
    mutable std::mutex mutex;
    Entries entries;  // the most recently used first
    std::unordered_map<std::string, Entries::iterator> by_game;
  };

  Part& PartOf(const std::string& game_id) {
    return parts_[std::hash<std::string>()(game_id) % kLocks];
  }

  const std::size_t capacity_per_part_;
  std::array<Part, kLocks> parts_;
};

}  // namespace komadai::clock
