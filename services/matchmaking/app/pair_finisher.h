// PairFinisher: creates the games of pairs and closes their seeks.
//
// A pair's game is created under its match id. The call is repeated until the game service has
// answered, and whichever replica asks, it is the same game. Only an answer that there is no game
// dissolves the pair. Without an answer the game may exist, so the two stay a pair, and the sweep
// of any replica asks again.
#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_set>

#include "libs/base/mutex.h"
#include "libs/base/task_group.h"
#include "services/matchmaking/app/seeks.h"
#include "services/matchmaking/metrics.h"
#include "services/matchmaking/store/seek_store.h"

namespace komadai::matchmaking {

class PairFinisher {
 public:
  struct Limits {
    std::size_t running = 128;  // pairs whose games are being created at once
    // Pairs that wait for their turn. A stored seek has 1 to 2 KiB, so they take 8 MiB at most. At
    // 10 ms for a game the queue is empty after a third of a second.
    std::size_t queued = 4096;
  };

  PairFinisher(SeekStore& store, GamePort& games, const TimeSource& time, MatchMetrics& metrics)
      : PairFinisher(store, games, time, metrics, Limits()) {}
  PairFinisher(SeekStore& store, GamePort& games, const TimeSource& time, MatchMetrics& metrics,
               Limits limits)
      : store_(store), games_(games), time_(time), metrics_(metrics), limits_(limits) {}

  // Finishes the pair in the background; one that is already queued or running is not taken twice.
  // False: the queue is full. The pair is then left in the store as it is, and Matchmaker::Sweep()
  // finds it when Matchmaker::kPairedGrace has passed.
  bool Enqueue(SeekEntry paired);
  // Finishes the pair now. Returns the seek as it stands afterwards, or why that is not known yet.
  Task<Result<SeekEntry>> Finish(rpc::Call call, SeekEntry paired);
  // Waits for what runs and leaves the rest to the sweep.
  void Stop() { group_.Stop(); }

 private:
  // A game to be added to a player's history.
  struct NewMemory {
    std::string player_id;
    stored_pb::HistoricGame game;
  };

  Task<void> WorkOff(SeekEntry first);
  // The seeks are matched with this game. How many of them were still in the pair.
  Task<Result<std::size_t>> Close(std::vector<std::string> seek_ids, stored_pb::Pairing pairing,
                                  std::string game_id);
  Task<livestore::Attempt<std::size_t>> TryClose(std::vector<std::string> seek_ids,
                                                 stored_pb::Pairing pairing, std::string game_id);
  // There will be no game of the pair `match_id`.
  struct Refusal {
    std::vector<std::string> seek_ids;
    std::string match_id;
    std::string reason;
    std::string to_blame;  // this player's seek ends; empty: nobody's
    bool both = false;     // both seeks end
  };
  // Seeks that do not end return to the queue. How many seeks were still in the pair.
  Task<Result<std::size_t>> Dissolve(Refusal refusal);
  Task<livestore::Attempt<std::size_t>> TryDissolve(Refusal refusal);
  NewMemory MemoryOf(const pb::Seek& matched, const stored_pb::Pairing& pairing) const;
  // The histories of the players with the new games.
  Task<Result<std::vector<SeekStore::PlayerHistory>>> Remember(std::vector<NewMemory> memories);

  SeekStore& store_;
  GamePort& games_;
  const TimeSource& time_;
  MatchMetrics& metrics_;
  const Limits limits_;

  Mutex mutex_;
  std::deque<SeekEntry> queue_ KOMADAI_GUARDED_BY(mutex_);
  std::unordered_set<std::string> in_hand_
      KOMADAI_GUARDED_BY(mutex_);  // match ids, queued or running
  std::size_t running_ KOMADAI_GUARDED_BY(mutex_) = 0;
  TaskGroup group_;  // last: it ends first
};

}  // namespace komadai::matchmaking
