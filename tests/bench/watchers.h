// Watchers: many open WatchGame streams of one game.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"

namespace komadai::bench {

class Watchers {
 public:
  // Returns when all of them have got their snapshot.
  Watchers(const std::string& address, const std::string& game_id, int count);
  ~Watchers();

  // Waits until every watcher has seen the event `sequence`; the program ends if one missed an
  // event or was cut off.
  void WaitFor(std::int64_t sequence);

 private:
  class Watcher;

  std::vector<std::unique_ptr<game::v1::GameService::Stub>> stubs_;
  std::vector<std::unique_ptr<Watcher>> watchers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t awaited_ = -1;  // sequence
  int arrived_ = 0;            // watchers that have seen it
  int open_ = 0;
};

}  // namespace komadai::bench
