// Flags: what follows when a clock runs out. An open ply loses on time; a clock that is ahead of or
// behind its game is mended instead.
#pragma once

#include <string>

#include "libs/base/task.h"
#include "libs/base/task_group.h"
#include "services/game/app/chore_runner.h"
#include "services/game/app/committer.h"
#include "services/game/app/game_clock.h"
#include "services/game/metrics.h"

namespace komadai::game {

// A deadline of a clock that has passed.
struct Expiry {
  std::string game_id;
  int ply = 0;
  Side side = Side::kFirst;
  TimePoint deadline;
};

class Flags {
 public:
  Flags(Committer& committer, GameStore& store, GameClock& clock, ChoreRunner& chores,
        const TimeSource& time, GameMetrics& metrics)
      : committer_(committer),
        store_(store),
        clock_(clock),
        chores_(chores),
        time_(time),
        metrics_(metrics) {}

  // Verifies the expiry against the game and its clock: only an open ply is flagged.
  Task<void> OnExpiry(Expiry expiry);
  // Gives back a turn whose clock was pressed for a move that never came, in the background.
  void MendClock(const StoredGame& stored);
  // No new background work; waits for what runs.
  void Stop() { background_.Stop(); }

 private:
  // The flag of (ply, side) fell at `deadline`: ends the game if that ply is still open and its
  // clock still says so; the game after it.
  Task<Result<StoredGame>> TimeOut(rpc::Call call, Expiry expiry);
  Task<GameAttempt> TryTimeOut(rpc::Call call, Expiry expiry);
  Task<void> Mend(std::string game_id);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
  ChoreRunner& chores_;
  const TimeSource& time_;
  GameMetrics& metrics_;
  TaskGroup background_;
};

}  // namespace komadai::game
