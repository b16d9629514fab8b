// Watcher: follows a game from the side, on a thread of its own, and writes down what it is shown.
// Reconnects where its stream broke, to any replica, and breaks it on purpose now and then.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "libs/base/mutex.h"
#include "tests/chaos/evidence.h"
#include "tests/chaos/world.h"

namespace komadai::chaos {

class Watcher {
 public:
  using Message = game_pb::WatchGameResponse;

  // `on_message` hears of everything that is seen, on the watcher's thread.
  Watcher(World& world, std::string game_id, std::uint64_t seed,
          std::function<void(const Message&)> on_message);
  ~Watcher();  // stops
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Waits for the end of the stream, at most for `patience`.
  void Join(Millis patience);
  // After Join.
  const WatchList& list() const { return list_; }

 private:
  void Run();
  // One connection.
  void Watch();
  void See(const Message& message);
  void Stop();

  World& world_;
  const std::string game_id_;
  SeededRandom random_;
  const std::function<void(const Message&)> on_message_;

  Mutex mutex_;
  CondVar changed_;
  std::shared_ptr<grpc::ClientContext> context_ KOMADAI_GUARDED_BY(mutex_);  // of the open stream
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  bool done_ KOMADAI_GUARDED_BY(mutex_) = false;

  WatchList list_;
  std::int64_t last_ = 0;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace komadai::chaos
