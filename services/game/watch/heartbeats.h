// Heartbeats: tells all open streams of one kind that they are alive.
#pragma once

#include <memory>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/rpc/server/event_stream.h"

namespace komadai::game {

// Thread-safe.
template <typename Message>
class Heartbeats {
 public:
  using Stream = rpc::EventStream<Message>;

  void Add(const std::shared_ptr<Stream>& stream) {
    const MutexLock lock(mutex_);
    streams_.push_back(stream);
  }

  // Sends `beat` to every open stream and forgets the others. Returns how many are open.
  std::size_t Beat(const Message& beat) {
    const auto message = std::make_shared<const Message>(beat);
    std::vector<std::weak_ptr<Stream>> streams;
    {
      const MutexLock lock(mutex_);
      streams.swap(streams_);
    }
    std::vector<std::weak_ptr<Stream>> open;
    for (const std::weak_ptr<Stream>& weak : streams) {
      const std::shared_ptr<Stream> stream = weak.lock();
      if (stream != nullptr && !stream->Ended() && stream->Publish(message)) open.push_back(weak);
    }
    const MutexLock lock(mutex_);
    streams_.insert(streams_.end(), open.begin(), open.end());
    return open.size();
  }

 private:
  Mutex mutex_;
  std::vector<std::weak_ptr<Stream>> streams_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::game
