#include "services/game/watch/player_watcher.h"

#include <utility>

#include "libs/base/when_all.h"
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
          if (watcher->news_.Resync()) Detach(watcher->SendPresent());
          return;
        }
        pb::WatchPlayerGamesResponse news;
        if (news.ParseFromString(notification.payload) && !watcher->news_.Hold(news)) {
          watcher->stream_->Publish(std::move(news));
        }
      });
  {
    const MutexLock lock(mutex_);
    if (!ended_) subscription_ = std::move(subscription);
  }
  stream_->OnEnd([self, held = std::move(held_)]() mutable {
    held.reset();
    std::unique_ptr<livestore::Subscription> ending;  // destroyed after the lock is released
    {
      const MutexLock lock(self->mutex_);
      self->ended_ = true;
      ending = std::move(self->subscription_);
    }
  });
}

Task<void> PlayerWatcher::SendPresent() {
  const std::shared_ptr<PlayerWatcher> self = shared_from_this();
  do {
    std::optional<std::vector<PlayerNews::Message>> present = co_await ReadPresent();
    if (!present) {
      stream_->Fail(Error(kUnavailable, "the store is away; reconnect"));
      co_return;
    }
    std::vector<PlayerNews::Message> news = news_.Take(*std::move(present));
    for (; !news.empty(); news = news_.Take({})) {
      for (PlayerNews::Message& message : news) stream_->Publish(std::move(message));
    }
  } while (news_.Again());
}

Task<std::optional<std::vector<PlayerNews::Message>>> PlayerWatcher::ReadPresent() {
  Result<std::vector<std::string>> games = co_await store_.GamesOfPlayer(player_id_);
  if (!games) co_return std::nullopt;
  std::vector<Task<Result<StoredGame>>> loads;
  for (const std::string& game_id : *games) loads.push_back(store_.Load(game_id));
  std::vector<Result<StoredGame>> loaded = co_await WhenAll(std::move(loads));
  std::vector<PlayerNews::Message> present;
  for (const Result<StoredGame>& stored : loaded) {
    if (!stored || stored->game->over()) continue;  // a finished game leaves the list soon
    const Game& game = *stored->game;
    PlayerNews::Message& message = present.emplace_back();
    message.set_game_id(game.id);
    message.set_change(pb::PLAYER_GAME_CHANGE_PRESENT);
    const bool first = game.player(Side::kFirst).id == player_id_;
    message.set_side(convert::ToProto(first ? Side::kFirst : Side::kSecond));
    message.set_ply(game.ply());
    message.set_at_ms(ToUnixMillis(game.moves.empty() ? game.created_at : game.moves.back().at));
  }
  co_return present;
}

}  // namespace komadai::game
