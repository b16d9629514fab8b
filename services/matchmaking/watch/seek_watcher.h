// SeekWatcher: sends the seek to one WatchSeek stream whenever it may have changed, and its place
// in the queue.
#pragma once

#include <memory>
#include <string>

#include "libs/base/mutex.h"
#include "libs/rpc/server/event_stream.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

// Where a seek stands in its queue.
struct Standing {
  int waiting = 0;
  int position = 0;  // 1: the longest waiting; 0: does not wait
  std::int64_t estimated_wait_ms = 0;
  int rating_window = 0;  // 0: any

  friend bool operator==(const Standing&, const Standing&) = default;
};

class SeekWatcher : public std::enable_shared_from_this<SeekWatcher> {
 public:
  using Stream = rpc::EventStream<pb::WatchSeekResponse>;

  // `here` is released when the stream ends.
  SeekWatcher(SeekStore& store, std::string seek_id, std::shared_ptr<Stream> stream,
              std::shared_ptr<void> here)
      : store_(store),
        seek_id_(std::move(seek_id)),
        stream_(std::move(stream)),
        here_(std::move(here)) {}

  // Sends the seek at once and after every change, and ends the stream when the seek has ended. The
  // watcher lives as long as the stream.
  void Follow();
  // Sends where the seek stands, if that has changed.
  void Tell(const Standing& standing);

  const std::string& seek_id() const { return seek_id_; }
  bool Ended() const { return stream_->Ended(); }

 private:
  void Notice();
  Task<void> Pump();
  void Send(pb::Seek seek);

  SeekStore& store_;
  const std::string seek_id_;
  const std::shared_ptr<Stream> stream_;

  Mutex mutex_;
  bool changed_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool pumping_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool ended_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::shared_ptr<void> here_ KOMADAI_GUARDED_BY(mutex_);
  std::unique_ptr<livestore::Subscription> subscription_ KOMADAI_GUARDED_BY(mutex_);

  Mutex sending_;  // not taken when the stream ends, which may happen while it is held
  pb::Seek last_ KOMADAI_GUARDED_BY(sending_);  // as sent
  Standing standing_ KOMADAI_GUARDED_BY(sending_);
};

}  // namespace komadai::matchmaking
