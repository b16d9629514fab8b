// GameStream: watches a game on a thread of its own and reconnects where it broke.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "cli/connection.h"
#include "komadai/game/v1/game.pb.h"
#include "libs/base/mutex.h"

namespace komadai::cli {

// Messages wait until they are taken; a file descriptor becomes readable when there are some, so
// that a terminal program can wait for its keyboard and its game at once.
class GameStream {
 public:
  GameStream(const Targets& targets, std::string token, std::string game_id);
  ~GameStream();

  // Readable when Take() has something, or when the stream has ended for good.
  int fd() const { return pipe_[0]; }
  std::optional<game::v1::WatchGameResponse> Take();
  // Why the stream ended for good, if it did.
  std::optional<Error> failure() const;

 private:
  void Run();
  bool Watch();
  void Push(game::v1::WatchGameResponse message);
  void Wake();

  Connection connection_;
  const std::string game_id_;
  int pipe_[2] = {-1, -1};
  std::atomic<bool> stopping_ = false;

  mutable Mutex mutex_;
  std::deque<game::v1::WatchGameResponse> messages_ KOMADAI_GUARDED_BY(mutex_);
  std::optional<Error> failure_ KOMADAI_GUARDED_BY(mutex_);
  std::shared_ptr<grpc::ClientContext> context_ KOMADAI_GUARDED_BY(mutex_);
  bool over_ KOMADAI_GUARDED_BY(mutex_) = false;

  std::int64_t last_sequence_ = 0;  // of the thread alone
  std::thread thread_;
};

}  // namespace komadai::cli
