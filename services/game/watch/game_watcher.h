// GameWatcher: feeds one WatchGame stream: every event once, in order, without a gap.
//
// Live events come by the store's subscription; whatever it may have missed (before it was live,
// while its connection was away) is read from the journal. One pump at a time publishes, without
// holding the lock, because a full stream ends itself and thereby the subscription.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/base/task.h"
#include "services/game/store/game_store.h"
#include "services/game/watch/event_sink.h"

namespace komadai::game {

class GameWatcher : public std::enable_shared_from_this<GameWatcher> {
 public:
  using Sink = EventSink<pb::WatchGameResponse>;

  // `publisher`, which must outlive the stream, does the publishing, so that the many watchers of a
  // game do not hold up the store's thread, on which its players wait too. Null: the store's does.
  GameWatcher(GameStore& store, std::string game_id, std::shared_ptr<Sink> stream,
              BoundedExecutor* publisher = nullptr)
      : store_(store),
        game_id_(std::move(game_id)),
        stream_(std::move(stream)),
        publisher_(publisher) {}

  // Sends what a client that knows the events up to `after_sequence` is missing, from now on. A
  // client that knows none (0), or more than there are, gets the game as it stands first. The
  // watcher lives until the stream ends. False: nothing more will come, and the stream has ended.
  bool Watch(const Game& game, std::int64_t after_sequence);

 private:
  void Follow(std::int64_t sequence);
  void OnNotification(const livestore::Notification& notification);
  Task<void> Pump();
  Task<bool> ReadJournal();
  // Publishes an event of the journal; false when the stream has ended or the game is over.
  bool Forward(std::int64_t sequence, const std::string& payload);

  GameStore& store_;
  const std::string game_id_;
  const std::shared_ptr<Sink> stream_;
  BoundedExecutor* const publisher_;

  Mutex mutex_;
  std::deque<livestore::Event> pending_ KOMADAI_GUARDED_BY(mutex_);
  bool read_journal_ KOMADAI_GUARDED_BY(mutex_) = false;  // something may have been missed
  bool pumping_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::unique_ptr<livestore::Subscription> subscription_ KOMADAI_GUARDED_BY(mutex_);

  std::int64_t last_ = 0;  // sequence published; only the pump touches it
};

}  // namespace komadai::game
