#include "services/game/watch/player_watcher.h"

#include <utility>

#include "libs/convert/variant.h"

namespace komadai::game {

void PlayerWatcher::Follow() {
  const std::shared_ptr<PlayerWatcher> self = shared_from_this();
  auto subscription = store_.livestore().SubscribeChannel(
      GameStore::PlayerChannel(player_id_),
      [weak = weak_from_this()](const livestore::Notification& notification) {
        const std::shared_ptr<PlayerWatcher> watcher = weak.lock();
        if (watcher == nullptr) return;
        if (notification.kind == livestore::Notification::Kind::kResync) {
          Detach(watcher->SendPresent());
          return;
        }
        pb::WatchPlayerGamesResponse news;
        if (news.ParseFromString(notification.payload)) {
          watcher->stream_->Publish(std::move(news));
        }
      });
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) subscription_ = std::move(subscription);
  }
  stream_->OnEnd([self, held = std::move(held_)]() mutable {
    held.reset();
    std::unique_ptr<livestore::Subscription> ending;  // destroyed after the lock is released
    {
      const std::lock_guard lock(self->mutex_);
      self->ended_ = true;
      ending = std::move(self->subscription_);
    }
  });
}

Task<void> PlayerWatcher::SendPresent() {
  const std::shared_ptr<PlayerWatcher> self = shared_from_this();
  Result<std::vector<std::string>> games = co_await store_.GamesOfPlayer(player_id_);
  if (!games) {
    stream_->Fail(Error(kUnavailable, "the store is away; reconnect"));
    co_return;
  }
  for (const std::string& game_id : *games) {
    Result<StoredGame> stored = co_await store_.Load(game_id);
    if (!stored || stored->game->over()) continue;  // a finished game leaves the list soon
    const Game& game = *stored->game;
    pb::WatchPlayerGamesResponse present;
    present.set_game_id(game.id);
    present.set_change(pb::PLAYER_GAME_CHANGE_PRESENT);
    const bool first = game.player(Side::kFirst).id == player_id_;
    present.set_side(convert::ToProto(first ? Side::kFirst : Side::kSecond));
    present.set_ply(game.ply());
    present.set_at_ms(ToUnixMillis(game.moves.empty() ? game.created_at : game.moves.back().at));
    stream_->Publish(std::move(present));
  }
}

}  // namespace komadai::game
