// SeekWatcher: feeds one WatchSeek stream with the seek as it stands, whenever it may have changed.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "libs/rpc/event_stream.h"
#include "services/matchmaking/store/match_store.h"

namespace komadai::matchmaking {

class SeekWatcher : public std::enable_shared_from_this<SeekWatcher> {
 public:
  using Stream = rpc::EventStream<komadai::matchmaking::v1::WatchSeekResponse>;

  SeekWatcher(MatchStore& store, std::string seek_id, std::shared_ptr<Stream> stream)
      : store_(store), seek_id_(std::move(seek_id)), stream_(std::move(stream)) {}

  // Sends the present at once, then every change, and ends after the last. Lives as long as the
  // stream.
  void Follow();

 private:
  void Notice();
  Task<void> Pump();

  MatchStore& store_;
  const std::string seek_id_;
  const std::shared_ptr<Stream> stream_;

  std::mutex mutex_;
  bool changed_ = false;
  bool pumping_ = false;
  bool ended_ = false;
  std::unique_ptr<livestore::Subscription> subscription_;
};

}  // namespace komadai::matchmaking
