// ChoreRunner: does for games what no player's call does: starts clocks, lets the computer move,
// aborts games that nobody begins, ends pauses, replays drawn games where the rules say so,
// archives and rates finished ones. app/flags ends games on time.
//
// Every chore is derived from the game itself and idempotent at its target, so any replica may do
// it, twice if need be. A committed version that leaves a chore is looked after at once; whatever a
// crash or an outage leaves undone is found by the sweep over the shards' "todo" indexes.
#pragma once

#include <set>
#include <string>

#include "libs/base/mutex.h"
#include "libs/base/task.h"
#include "libs/base/task_group.h"
#include "services/game/app/committer.h"
#include "services/game/app/creation.h"
#include "services/game/app/impasse.h"
#include "services/game/app/move_maker.h"
#include "services/game/metrics.h"
#include "services/game/ports/finish_ports.h"

namespace komadai::game {

class ChoreRunner {
 public:
  struct Deps {
    Committer& committer;
    GameStore& store;
    GameClock& clock;
    MoveMaker& moves;
    Creation& creation;
    Impasse& impasse;
    ArchivePort& archive;
    RatingPort& rating;
    EnginePort& engine;
    const TimeSource& time;
    GameMetrics& metrics;
  };
  explicit ChoreRunner(Deps deps);

  // Does the game's chore, whatever it is.
  Task<void> Tend(std::string game_id);
  // Tells the clock what it does not know of the game yet. A refusal for good is counted and
  // logged, and then it is over.
  Task<Status> CatchUpClock(StoredGame stored);
  // One pass over all shards. Starts what is due and does not wait for it: one chore that hangs,
  // or a computer that thinks, holds up nobody else's.
  Task<void> Sweep();

  // The immediate follow-up of a commit, in the background.
  void Follow(const StoredGame& stored);
  // No new background work; waits for what runs.
  void Stop() { background_.Stop(); }

 private:
  rpc::Call NewCall(const std::string& game_id, Millis timeout) const;
  Task<Status> StartGame(StoredGame stored);
  Task<Status> PassTime(StoredGame stored);
  Task<Status> TellClock(StoredGame stored);
  Task<Status> MoveForComputer(StoredGame stored);
  Task<Status> CreateReplay(StoredGame stored);
  Task<Status> FinishGame(StoredGame stored);
  Task<void> TendInBackground(std::string game_id);
  Task<void> TendInHand(std::string game_id);
  Task<Status> Guarded(Chore chore, StoredGame stored);
  Task<Status> Do(Chore chore, StoredGame stored);
  // False: a sweep's chore of that game still runs, or too many do.
  bool TakeInHand(const std::string& game_id);
  void LetGo(const std::string& game_id);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
  MoveMaker& moves_;
  Creation& creation_;
  Impasse& impasse_;
  ArchivePort& archive_;
  RatingPort& rating_;
  EnginePort& engine_;
  const TimeSource& time_;
  GameMetrics& metrics_;
  Mutex mutex_;
  std::set<std::string> in_hand_ KOMADAI_GUARDED_BY(mutex_);  // by the sweep
  TaskGroup background_;
};

}  // namespace komadai::game
