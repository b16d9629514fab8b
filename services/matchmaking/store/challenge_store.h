// ChallengeStore: challenges, rematch wishes and open rooms on a livestore. Knows the keys, decides
// nothing.
//
// Challenges are spread over partitions by their id, rematch wishes by the game's, and the list of
// a player's open challenges by the player's. Indexes of a partition of challenges: "to-finish"
// (accepted, without a game yet) and "rooms" and "rooms/<variant>" (listed and open), by the
// instant at which they expire.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "libs/base/time.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

struct OpenRoom {
  std::string challenge_id;
  std::int64_t expires_at_ms = 0;
};

class ChallengeStore {
 public:
  explicit ChallengeStore(livestore::LiveStore& store) : store_(store) {}

  static constexpr int kShards = 16;

  // An entry that does not exist has version kAbsent. Put: false is a conflict.
  Task<Result<ChallengeEntry>> Load(std::string challenge_id);
  Task<Result<bool>> Put(ChallengeEntry challenge);
  Task<Result<std::vector<std::string>>> ToFinish(int shard);

  // Open rooms that have not expired, the soonest to expire first, at most `limit`; of one variant
  // ("shogi") or, with an empty one, all.
  Task<Result<std::vector<OpenRoom>>> Rooms(std::string variant, TimePoint now, int limit);
  // Rooms that expired before `now` and were never closed.
  Task<Result<std::vector<std::string>>> LapsedRooms(int shard, TimePoint now);

  Task<Result<OpenChallengesEntry>> LoadOpen(std::string player_id);
  Task<Result<bool>> PutOpen(std::string player_id, OpenChallengesEntry open);

  Task<Result<RematchEntry>> LoadRematch(std::string game_id);
  Task<Result<bool>> PutRematch(std::string game_id, RematchEntry rematch);

 private:
  livestore::LiveStore& store_;
};

}  // namespace komadai::matchmaking
