// Conduct: counts the games that a player did not begin or left, and how long the player has to
// wait because of them.
//
// The game service says how a game ended. It is asked when the player seeks again, about the games
// that seeks have found for them and whose end is not known yet. Players who do not seek again cost
// nothing. A game against the computer does not count, because nobody is left waiting.
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
// Looks up the ends that are not known yet and adds them to the history. While the game service is
// away nobody is blamed: it is asked again the next time. `games` must outlive the task.
Task<ReviewedHistory> Review(GamePort& games, rpc::Call call, stored_pb::StoredHistory history);

// Until when the player may not seek.
std::optional<TimePoint> CooldownOf(const stored_pb::StoredHistory& history, TimePoint now);

// Copies to the seek what pairing needs to know of the last games.
void Recall(const stored_pb::StoredHistory& history, int exclude_last, stored_pb::StoredSeek& seek);

}  // namespace komadai::matchmaking
