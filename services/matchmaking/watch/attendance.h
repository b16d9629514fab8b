// Attendance: which players have a stream open at this replica.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace komadai::matchmaking {

// Thread-safe.
class Attendance {
 public:
  // The player is here as long as somebody holds what this returns.
  std::shared_ptr<void> Enter(const std::string& player_id) {
    const std::lock_guard lock(state_->mutex);
    ++state_->streams[player_id];
    return {nullptr, [state = state_, player_id](void*) {
              const std::lock_guard leaving(state->mutex);
              const auto found = state->streams.find(player_id);
              if (--found->second == 0) state->streams.erase(found);
            }};
  }
  int players() const {
    const std::lock_guard lock(state_->mutex);
    return static_cast<int>(state_->streams.size());
  }

 private:
  struct State {
    std::mutex mutex;
    std::unordered_map<std::string, int> streams;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace komadai::matchmaking
