// What a commit announces on the WatchPlayerGames streams of both players.
#pragma once

#include <vector>

#include "services/game/store/game_store.h"

namespace komadai::game {

// One announcement for each person; none without events. `after` is the game after `events`.
std::vector<PlayerChange> AnnouncementsOf(const Game& after, const std::vector<Event>& events);

}  // namespace komadai::game
