// PresenceStore: until when players count as present, wherever they are connected.
//
// One small document per player in the partition of the player's shard. Every replica renews those
// of its own watchers; a document that nobody renews forgets itself. Thread-safe.
#pragma once

#include <string>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/live_store.h"

namespace komadai::game {

class PresenceStore {
 public:
  explicit PresenceStore(livestore::LiveStore& store) : store_(store) {}

  // All of them count as present until `until` (in the past: they have left).
  Task<Status> Set(std::vector<std::string> player_ids, TimePoint until);
  // Until when the player counts as present; long ago if nothing is known.
  Task<Result<TimePoint>> SeenUntil(std::string player_id);

 private:
  livestore::LiveStore& store_;
};

}  // namespace komadai::game
