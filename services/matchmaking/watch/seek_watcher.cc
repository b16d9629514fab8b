#include "services/matchmaking/watch/seek_watcher.h"

#include <utility>

namespace komadai::matchmaking {
namespace {

constexpr std::size_t kMaxQueuedSeeks = 4;

pb::WatchSeekResponse NewsOf(const pb::Seek& seek, const Standing& standing) {
  pb::WatchSeekResponse news;
  *news.mutable_seek() = seek;
  news.set_waiting(standing.waiting);
  news.set_estimated_wait_ms(standing.estimated_wait_ms);
  if (seek.state() == pb::SEEK_STATE_WAITING) {
    news.set_position(standing.position);
    news.set_rating_window(standing.rating_window);
  }
  return news;
}

}  // namespace

void SeekWatcher::Follow() {
  const std::shared_ptr<SeekWatcher> self = shared_from_this();
  auto subscription =
      store_.livestore().Subscribe(SeekStore::kPartition, SeekStore::DocumentOf(seek_id_),
                                   [weak = weak_from_this()](const livestore::Notification&) {
                                     if (const std::shared_ptr<SeekWatcher> watcher = weak.lock())
                                       watcher->Notice();
                                   });
  {
    const MutexLock lock(mutex_);
    if (!ended_) subscription_ = std::move(subscription);
  }
  stream_->OnEnd([self] {
    // Both are destroyed after the lock is released.
    std::unique_ptr<livestore::Subscription> ending;
    std::shared_ptr<void> leaving;
    {
      const MutexLock lock(self->mutex_);
      self->ended_ = true;
      ending = std::move(self->subscription_);
      leaving = std::move(self->here_);
    }
  });
}

void SeekWatcher::Notice() {
  {
    const MutexLock lock(mutex_);
    changed_ = true;
    if (pumping_ || ended_) return;
    pumping_ = true;
  }
  Detach(Pump());
}

void SeekWatcher::Tell(const Standing& standing) {
  const MutexLock lock(sending_);
  if (standing == standing_) return;
  standing_ = standing;
  // A slow reader misses standings, so that there is room for the changes of the seek.
  if (last_.state() != pb::SEEK_STATE_WAITING || stream_->Queued() >= kMaxQueuedSeeks) return;
  stream_->Publish(NewsOf(last_, standing_));
}

void SeekWatcher::Send(pb::Seek seek) {
  const bool closed = !IsOpen(static_cast<SeekState>(seek.state()));
  {
    // Published under the lock, so that no older state follows a newer one.
    const MutexLock lock(sending_);
    last_ = std::move(seek);
    stream_->Publish(NewsOf(last_, standing_));
  }
  if (closed) stream_->Complete();
}

Task<void> SeekWatcher::Pump() {
  const std::shared_ptr<SeekWatcher> self = shared_from_this();
  for (;;) {
    {
      const MutexLock lock(mutex_);
      if (ended_ || !changed_) {
        pumping_ = false;
        co_return;
      }
      changed_ = false;
    }
    Result<SeekEntry> entry = co_await store_.Load(seek_id_);
    if (!entry || !entry->exists()) {
      stream_->Fail(Error(kUnavailable, "the store is unavailable; watch again"));
      continue;
    }
    Send(entry->value.seek());
  }
}

}  // namespace komadai::matchmaking
