#include "services/game/app/presence.h"

#include <utility>
#include <vector>

namespace komadai::game {

std::shared_ptr<void> Presence::Enter(const std::string& player_id) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = ++streams_[player_id] == 1;
  }
  if (first) {
    std::vector<std::string> players{player_id};
    writing_.Spawn(Write(std::move(players), time_.Now() + kLease));
  }
  return {nullptr, [this, player_id](std::nullptr_t) { Leave(player_id); }};
}

void Presence::Leave(const std::string& player_id) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = streams_.find(player_id);
    if (--found->second > 0) return;
    streams_.erase(found);
  }
  std::vector<std::string> players{player_id};
  writing_.Spawn(Write(std::move(players), time_.Now()));
}

Task<void> Presence::Renew() {
  std::vector<std::string> players;
  {
    const std::lock_guard lock(mutex_);
    players.reserve(streams_.size());
    for (const auto& [player_id, streams] : streams_) players.push_back(player_id);
  }
  co_await Write(std::move(players), time_.Now() + kLease);
}

Task<void> Presence::Write(std::vector<std::string> player_ids, TimePoint until) {
  // What the store refuses now, the next renewal writes.
  (void)co_await store_.Set(std::move(player_ids), until);
}

std::size_t Presence::size() const {
  const std::lock_guard lock(mutex_);
  return streams_.size();
}

}  // namespace komadai::game
