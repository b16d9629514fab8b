// ChoreRunner: does for games what no player's call does: starts clocks, lets the computer move,
// ends games on time, aborts those that nobody begins, ends pauses, replays drawn games where the
// rules say so, archives and rates finished ones.
//
// Every chore is derived from the game itself and idempotent at its target, so any replica may do
// it, twice if need be. A committed version that leaves a chore is looked after at once; whatever a
// crash or an outage leaves undone is found by the sweep over the shards' "todo" indexes.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "libs/base/task.h"
#include "libs/base/task_group.h"
#include "services/game/app/game_commands.h"
#include "services/game/app/game_table.h"
#include "services/game/app/move_maker.h"
#include "services/game/metrics.h"
#include "services/game/ports/finish_ports.h"

namespace komadai::game {

struct Expiry {
  std::string game_id;
  int ply = 0;
  Side side = Side::kFirst;
  TimePoint deadline;
};

class ChoreRunner {
 public:
  ChoreRunner(GameTable& table, MoveMaker& moves, GameCommands& commands, ArchivePort& archive,
              RatingPort& rating, EnginePort& engine, GameMetrics& metrics);

  // Does the game's chore, whatever it is.
  Task<void> Tend(std::string game_id);
  // A clock's deadline has passed. Verified against game and clock: only an open ply is flagged,
  // and a clock that is ahead of or behind its game is mended.
  Task<void> OnExpiry(Expiry expiry);
  // The clock of a game has been ahead of the game for too long: mends that in the background.
  void FollowClock(const StoredGame& stored);
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
  Task<Status> CatchUpClock(StoredGame stored);
  Task<Status> TellClock(StoredGame stored);
  Task<void> MendClock(std::string game_id);
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

  GameTable& table_;
  MoveMaker& moves_;
  GameCommands& commands_;
  ArchivePort& archive_;
  RatingPort& rating_;
  EnginePort& engine_;
  GameMetrics& metrics_;
  std::mutex mutex_;
  std::set<std::string> in_hand_;  // by the sweep
  TaskGroup background_;
};

}  // namespace komadai::game
