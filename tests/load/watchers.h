// Watchers: streams that follow the games of a load run, and what they have seen.
#pragma once

#include <grpcpp/grpcpp.h>

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "cli/connection.h"
#include "komadai/game/v1/game.grpc.pb.h"
#include "libs/base/mutex.h"
#include "tests/play/attempts.h"

namespace komadai::load {

// Thread-safe.
class Watchers {
 public:
  // Both must outlive it.
  Watchers(const cli::Targets& targets, play::ErrorCounts& errors);
  ~Watchers();  // stops
  Watchers(const Watchers&) = delete;
  Watchers& operator=(const Watchers&) = delete;

  // Follows the game to its end. A stream that breaks is counted as an error and not resumed.
  void Watch(const std::string& game_id);
  // Cancels what is open and waits for its end.
  void Stop();

  struct Seen {
    std::int64_t events = 0;
    std::int64_t gaps = 0;          // sequence numbers that did not follow
    std::vector<double> delays_ms;  // sorted: from the receipt of a move to its event's arrival
  };
  // After Stop.
  Seen Result();

 private:
  class Stream;

  void Saw(const game::v1::GameEvent& event, bool follows);
  void Ended(Stream* stream, const grpc::Status& status);

  static constexpr int kStreamsPerConnection = 50;

  const cli::Targets& targets_;
  play::ErrorCounts& errors_;
  Mutex mutex_;
  std::vector<std::unique_ptr<game::v1::GameService::Stub>> stubs_ KOMADAI_GUARDED_BY(mutex_);
  int begun_ KOMADAI_GUARDED_BY(mutex_) = 0;
  CondVar idle_;
  bool stopping_ KOMADAI_GUARDED_BY(mutex_) = false;
  std::set<Stream*> open_ KOMADAI_GUARDED_BY(mutex_);
  Seen seen_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::load
