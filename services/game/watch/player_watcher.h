// Feeds WatchPlayerGames streams: a player's games in progress, then every change.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/base/task.h"
#include "libs/rpc/server/event_stream.h"
#include "services/game/store/game_store.h"
#include "services/game/watch/player_news.h"

namespace komadai::game {

class PlayerWatcher : public std::enable_shared_from_this<PlayerWatcher> {
 public:
  using Stream = rpc::EventStream<pb::WatchPlayerGamesResponse>;

  // `held` is let go when the stream ends.
  PlayerWatcher(GameStore& store, std::string player_id, std::shared_ptr<Stream> stream,
                std::shared_ptr<void> held)
      : store_(store),
        player_id_(std::move(player_id)),
        stream_(std::move(stream)),
        held_(std::move(held)) {}

  // Lives until the stream ends. The present is sent when the subscription is live, and again
  // whenever changes may have been missed.
  void Follow();

 private:
  Task<void> SendPresent();
  // The player's games in progress; not set: the store is away.
  Task<std::optional<std::vector<PlayerNews::Message>>> ReadPresent();

  GameStore& store_;
  const std::string player_id_;
  const std::shared_ptr<Stream> stream_;
  std::shared_ptr<void> held_;
  PlayerNews news_;
  Mutex mutex_;
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::unique_ptr<livestore::Subscription> subscription_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::game
