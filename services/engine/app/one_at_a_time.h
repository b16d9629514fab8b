// OneAtATime: a player has at most one search in progress, so that none takes the whole machine.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "libs/base/mutex.h"

namespace komadai::engine {

// Thread-safe.
class OneAtATime {
 private:
  struct State {
    Mutex mutex;
    std::set<std::string> players KOMADAI_GUARDED_BY(mutex);
  };

 public:
  // Held during a search. May outlive the OneAtATime.
  class Slot {
   public:
    Slot(std::shared_ptr<State> state, std::string player)
        : state_(std::move(state)), player_(std::move(player)) {}
    ~Slot() { Release(); }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    // Frees the slot before the object goes, e.g. before the answer is sent: the client's next call
    // may come at once. Further calls do nothing.
    void Release() {
      const MutexLock lock(state_->mutex);
      if (!std::exchange(released_, true)) state_->players.erase(player_);
    }

   private:
    const std::shared_ptr<State> state_;
    const std::string player_;
    bool released_ = false;
  };

  // Null when the player has a search already.
  std::shared_ptr<Slot> Take(const std::string& player) {
    const MutexLock lock(state_->mutex);
    if (!state_->players.insert(player).second) return nullptr;
    return std::make_shared<Slot>(state_, player);
  }

 private:
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace komadai::engine
