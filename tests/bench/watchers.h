// Watchers: many open WatchGame streams of one game.
#pragma once

#include <grpcpp/grpcpp.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "komadai/game/v1/game.grpc.pb.h"
#include "libs/base/mutex.h"

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
  Mutex mutex_;
  CondVar changed_;
  std::int64_t awaited_ KOMADAI_GUARDED_BY(mutex_) = -1;  // sequence
  int arrived_ KOMADAI_GUARDED_BY(mutex_) = 0;            // watchers that have seen it
  int open_ KOMADAI_GUARDED_BY(mutex_) = 0;
};

}  // namespace komadai::bench
