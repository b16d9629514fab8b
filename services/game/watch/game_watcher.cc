#include "services/game/watch/game_watcher.h"

#include <utility>

namespace komadai::game {
namespace {

// A watcher further behind than this reads the journal instead of keeping events in memory.
constexpr std::size_t kMaxPending = 256;
constexpr std::int64_t kWatchedPage = 200;

}  // namespace

bool GameWatcher::Watch(const Game& game, std::int64_t after_sequence) {
  std::int64_t from = after_sequence;
  if (from <= 0 || from > game.sequence) {
    pb::WatchGameResponse snapshot;
    *snapshot.mutable_snapshot() = ToProto(game);
    stream_->Publish(std::move(snapshot));
    from = game.sequence;
  }
  if (game.over() && from == game.sequence) {
    stream_->Complete();
    return false;
  }
  Follow(from);
  return true;
}

void GameWatcher::Follow(std::int64_t sequence) {
  last_ = sequence;
  const std::shared_ptr<GameWatcher> self = shared_from_this();
  auto subscription = store_.livestore().Subscribe(
      GameStore::PartitionOf(game_id_), game_id_,
      [weak = weak_from_this()](const livestore::Notification& notification) {
        if (const std::shared_ptr<GameWatcher> watcher = weak.lock()) {
          watcher->OnNotification(notification);
        }
      });
  {
    const MutexLock lock(mutex_);
    if (!ended_) subscription_ = std::move(subscription);
  }
  // The stream keeps the watcher alive; its end lets go of the subscription, not under our lock.
  stream_->OnEnd([self] {
    std::unique_ptr<livestore::Subscription> ending;  // destroyed after the lock is released
    {
      const MutexLock lock(self->mutex_);
      self->ended_ = true;
      ending = std::move(self->subscription_);
    }
  });
}

void GameWatcher::OnNotification(const livestore::Notification& notification) {
  {
    const MutexLock lock(mutex_);
    if (ended_) return;
    if (notification.kind == livestore::Notification::Kind::kEvent &&
        pending_.size() < kMaxPending) {
      pending_.push_back({notification.sequence, notification.payload});
    } else {
      pending_.clear();
      read_journal_ = true;
    }
    if (pumping_) return;
    pumping_ = true;
  }
  const auto pump = [self = shared_from_this()] { Detach(self->Pump()); };
  if (publisher_ == nullptr || !publisher_->TryPost(pump)) pump();
}

Task<void> GameWatcher::Pump() {
  const std::shared_ptr<GameWatcher> self = shared_from_this();
  for (;;) {
    livestore::Event event;
    bool read = false;
    {
      const MutexLock lock(mutex_);
      if (ended_ || (pending_.empty() && !read_journal_)) {
        pumping_ = false;
        co_return;
      }
      read = std::exchange(read_journal_, false);
      if (!read) {
        event = std::move(pending_.front());
        pending_.pop_front();
      }
    }
    if (!read && event.sequence <= last_) continue;
    if (!read && event.sequence == last_ + 1) {
      Forward(event.sequence, event.payload);
      continue;
    }
    const bool ok = co_await ReadJournal();
    if (!ok) {
      stream_->Fail(Error(kUnavailable, "the store is away; reconnect and resume"));
    }
  }
}

Task<bool> GameWatcher::ReadJournal() {
  for (;;) {
    Result<livestore::JournalPage> page = co_await store_.livestore().ReadJournal(
        GameStore::PartitionOf(game_id_), game_id_, last_, kWatchedPage);
    if (!page || page->last_sequence < last_) co_return false;
    for (const livestore::Event& event : page->events) {
      if (!Forward(event.sequence, event.payload)) co_return true;
    }
    if (page->events.empty() || last_ >= page->last_sequence) co_return true;
  }
}

bool GameWatcher::Forward(std::int64_t sequence, const std::string& payload) {
  internal::v1::StoredEvent stored;
  if (!stored.ParseFromString(payload)) return false;
  pb::WatchGameResponse response;
  *response.mutable_event() = std::move(*stored.mutable_event());
  const bool over = response.event().has_ended();
  last_ = sequence;
  if (!stream_->Publish(std::move(response))) return false;
  if (over) stream_->Complete();
  return !over;
}

}  // namespace komadai::game
