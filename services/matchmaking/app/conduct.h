// Conduct: counts the games that a player did not begin or left, and what cools down because of it.
//
// The game service says how a game ended. It is asked when the player seeks again, about the games
// that seeks have found for them and whose end is not known yet: that costs nothing for all others
// and is never too late. A game against the computer is nobody's loss and does not count.
#pragma once

#include <optional>
#include <string>

#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

// Whether a game that has ended was not begun, or left, by the player of this side.
bool AtFault(const game::v1::Game& game, common_pb::Side side);

struct ReviewedHistory {
  stored_pb::StoredHistory history;
  bool changed = false;
};
// Looks up the ends that are not known yet and adds them to the history. A game service that is
// away blames nobody: what it cannot tell is asked the next time. `games` outlives the task.
Task<ReviewedHistory> Review(GamePort& games, rpc::Call call, stored_pb::StoredHistory history);

// Until when the player may not seek.
std::optional<TimePoint> CooldownOf(const stored_pb::StoredHistory& history, TimePoint now);

// What pairing wants to know of the last games.
void Recall(const stored_pb::StoredHistory& history, int exclude_last, stored_pb::StoredSeek& seek);

}  // namespace komadai::matchmaking
