#include "services/game/app/presence.h"

#include <utility>

namespace komadai::game {

Presence::Presence(livestore::LiveStore& store, const TimeSource& time)
    : store_(store),
      time_(time),
      here_(
          [this](const std::string& player_id) {
            writing_.Spawn(Write({player_id}, time_.Now() + kLease));
          },
          [this](const std::string& player_id) {
            writing_.Spawn(Write({player_id}, time_.Now()));
          }) {}

Task<void> Presence::Renew() {
  std::vector<std::string> players = here_.Names();
  co_await Write(std::move(players), time_.Now() + kLease);
}

Task<void> Presence::Write(std::vector<std::string> player_ids, TimePoint until) {
  // What the store refuses now, the next renewal writes.
  (void)co_await store_.Set(std::move(player_ids), until);
}

}  // namespace komadai::game
