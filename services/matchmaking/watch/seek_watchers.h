// SeekWatchers: everybody who watches a seek at this replica. Keeps the watched seeks alive and
// tells the watchers where their seeks stand. The queue is read once for all of them.
#pragma once

#include <memory>
#include <vector>

#include "libs/base/mutex.h"
#include "services/matchmaking/app/seek_desk.h"
#include "services/matchmaking/app/waiting_room.h"
#include "services/matchmaking/watch/seek_watcher.h"

namespace komadai::matchmaking {

class SeekWatchers {
 public:
  SeekWatchers(SeekStore& store, SeekDesk& desk, const TimeSource& time)
      : store_(store), desk_(desk), time_(time), room_(store) {}

  void Add(std::shared_ptr<SeekWatcher> watcher);
  // Keeps the watched seeks from expiring; to be called several times in a grace period.
  Task<void> Touch();
  // Tells everybody their place in the queue; every two seconds. One call at a time.
  Task<void> Tell();

 private:
  std::vector<std::shared_ptr<SeekWatcher>> Present();

  SeekStore& store_;
  SeekDesk& desk_;
  const TimeSource& time_;
  WaitingRoom room_;
  Mutex mutex_;
  std::vector<std::weak_ptr<SeekWatcher>> watchers_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::matchmaking
