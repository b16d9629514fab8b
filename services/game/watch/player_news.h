// PlayerNews: the order of what a WatchPlayerGames stream sends. While the present is being read,
// changes that arrive are held back: they follow it, without those that it knows already.
//
// Whoever gets messages from Hold() or Take() publishes them at once. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "komadai/game/v1/game.pb.h"
#include "libs/base/mutex.h"

namespace komadai::game {

class PlayerNews {
 public:
  using Message = komadai::game::v1::WatchPlayerGamesResponse;

  // Changes may have been missed. True: the caller reads the present and calls Take() with it, and
  // then without until it gets nothing. False: whoever is doing that does it once more.
  bool Resync() {
    const MutexLock lock(mutex_);
    again_ = reading_;
    return !std::exchange(reading_, true);
  }
  // A change; true: it is held back, else it is to be published now.
  bool Hold(const Message& change) {
    const MutexLock lock(mutex_);
    if (reading_ && held_.size() < kMaxHeld) held_.push_back(change);
    overflow_ |= reading_ && held_.size() >= kMaxHeld;
    return reading_;
  }
  // Whether the present must be read once more: something was missed while it was read.
  bool Again() {
    const MutexLock lock(mutex_);
    if (!again_ && !overflow_) return false;
    again_ = overflow_ = false;
    held_.clear();  // the new present knows them
    return true;
  }
  // The present, and what was held back behind it; without a present, what was held back since.
  // Nothing, and not Again(): changes are published as they come again.
  std::vector<Message> Take(std::vector<Message> present) {
    const MutexLock lock(mutex_);
    // By the time, not the ply, which a takeback makes smaller.
    std::unordered_map<std::string, std::int64_t> as_of;
    for (const Message& game : present) as_of[game.game_id()] = game.at_ms();
    std::vector<Message> news = std::move(present);
    for (Message& change : held_) {
      const auto known = as_of.find(change.game_id());
      if (known != as_of.end() && change.at_ms() < known->second) continue;
      news.push_back(std::move(change));
    }
    held_.clear();
    if (news.empty() && !again_ && !overflow_) reading_ = false;
    return news;
  }

 private:
  static constexpr std::size_t kMaxHeld = 200;  // less than a stream's queue

  Mutex mutex_;
  bool reading_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool again_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool overflow_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::vector<Message> held_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::game
