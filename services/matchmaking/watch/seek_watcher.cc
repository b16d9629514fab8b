#include "services/matchmaking/watch/seek_watcher.h"

#include <utility>

namespace komadai::matchmaking {
namespace {

namespace pb = ::komadai::matchmaking::v1;

bool Closed(pb::SeekState state) {
  return state != pb::SEEK_STATE_WAITING && state != pb::SEEK_STATE_PAIRED;
}

}  // namespace

void SeekWatcher::Follow() {
  const std::shared_ptr<SeekWatcher> self = shared_from_this();
  auto subscription =
      store_.livestore().Subscribe(MatchStore::kSeeks, "seek/" + seek_id_,
                                   [weak = weak_from_this()](const livestore::Notification&) {
                                     if (const std::shared_ptr<SeekWatcher> watcher = weak.lock())
                                       watcher->Notice();
                                   });
  {
    const std::lock_guard lock(mutex_);
    if (!ended_) subscription_ = std::move(subscription);
  }
  stream_->OnEnd([self] {
    std::unique_ptr<livestore::Subscription> ending;  // destroyed after the lock is released
    {
      const std::lock_guard lock(self->mutex_);
      self->ended_ = true;
      ending = std::move(self->subscription_);
    }
  });
}

void SeekWatcher::Notice() {
  {
    const std::lock_guard lock(mutex_);
    changed_ = true;
    if (pumping_ || ended_) return;
    pumping_ = true;
  }
  Detach(Pump());
}

Task<void> SeekWatcher::Pump() {
  const std::shared_ptr<SeekWatcher> self = shared_from_this();
  for (;;) {
    {
      const std::lock_guard lock(mutex_);
      if (ended_ || !changed_) {
        pumping_ = false;
        co_return;
      }
      changed_ = false;
    }
    Result<SeekEntry> entry = co_await store_.LoadSeek(seek_id_);
    if (!entry || !entry->exists()) {
      stream_->Fail(Error(kUnavailable, "the store is away; watch again"));
      continue;
    }
    pb::WatchSeekResponse response;
    *response.mutable_seek() = entry->value.seek();
    if (!entry->value.pools().empty()) {
      Result<std::int64_t> waiting = co_await store_.CountPool(entry->value.pools(0));
      if (waiting) response.set_waiting(static_cast<int>(*waiting));
    }
    const bool closed = Closed(response.seek().state());
    stream_->Publish(std::move(response));
    if (closed) stream_->Complete();
  }
}

}  // namespace komadai::matchmaking
