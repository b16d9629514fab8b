// PairFinisher: creates the games of pairs and closes their seeks.
//
// A pair's game is created under its match id, again and again until the game service has answered:
// whichever replica asks, it is the same game. Only an answer that there is no such game parts the
// two. Without one the game may exist, so they stay a pair (nobody else could be given a game
// meanwhile either), and the sweep of any replica asks again.
#pragma once

#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_set>

#include "libs/base/task_group.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/metrics.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

class PairFinisher {
 public:
  PairFinisher(SeekStore& store, GamePort& games, const TimeSource& time, MatchMetrics& metrics)
      : store_(store), games_(games), time_(time), metrics_(metrics) {}

  // In the background, kWidth at a time; a pair that is already looked after is not taken again.
  void Enqueue(SeekEntry paired);
  // Now. The seek as it stands afterwards, or why that cannot be said yet.
  Task<Result<SeekEntry>> Finish(rpc::Call call, SeekEntry paired);
  // Waits for what runs; the rest is left to the sweep.
  void Stop() { group_.Stop(); }

 private:
  static constexpr std::size_t kWidth = 128;

  Task<void> WorkOff(SeekEntry first);
  Task<Status> Close(std::vector<std::string> seek_ids, stored_pb::Pairing pairing,
                     std::string game_id);
  // The seek of `to_blame` (may be nobody's), or both if `both`, ends; who is left goes back.
  Task<Status> Part(SeekEntry entry, std::string to_blame, bool both, std::string reason);
  Task<Result<std::vector<SeekStore::PlayerHistory>>> Remember(const std::vector<SeekEntry>& seeks,
                                                               const stored_pb::Pairing& pairing);

  SeekStore& store_;
  GamePort& games_;
  const TimeSource& time_;
  MatchMetrics& metrics_;

  std::mutex mutex_;
  std::deque<SeekEntry> queue_;
  std::unordered_set<std::string> in_hand_;  // match ids, queued or running
  std::size_t running_ = 0;
  TaskGroup group_;  // last: it ends first
};

}  // namespace komadai::matchmaking
