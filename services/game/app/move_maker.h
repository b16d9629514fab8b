// MoveMaker: one move, from the player's call to the committed event.
//
// rules.Apply -> clock.Press -> one atomic commit. A crash in between leaves either the old state
// or the new one: the press is idempotent per ply, the commit compares the version, and a repeat of
// the call finds whichever of them is done. A move that was held up on its way restarts the
// opponent's turn in the same commit.
#pragma once

#include <optional>
#include <string>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "services/game/app/committer.h"
#include "services/game/app/game_clock.h"
#include "services/game/ports/rules_port.h"

namespace komadai::game {

struct MoveCommand {
  std::string game_id;
  std::string player_id;  // ignored for the computer's own moves
  bool by_computer = false;
  // The game's sequence when the computer looked at it: after a takeback the same ply is another.
  std::optional<std::int64_t> thought_at;
  int expected_ply = 0;
  std::string move;
  std::optional<Millis> thinking;  // as the player reports it
};

struct MoveOutcome {
  int ply = 0;  // plies played, the move included
  std::string move;
  BoardState board;
  std::optional<timecontrol::Reading> clock;
  std::optional<GameResult> result;
  std::int64_t sequence = 0;
};

class MoveMaker {
 public:
  MoveMaker(Committer& committer, GameStore& store, GameClock& clock, RulesPort& rules,
            const TimeSource& time)
      : committer_(committer), store_(store), clock_(clock), rules_(rules), time_(time) {}

  // The instant the server received the call counts against the clock.
  Task<Result<MoveOutcome>> Play(rpc::Call call, MoveCommand command);

 private:
  using Attempt = livestore::Attempt<MoveOutcome>;

  // The attempt with this number, from 0.
  Task<Attempt> TryPlay(rpc::Call call, MoveCommand command, int number);
  Task<Attempt> TryPlayOn(rpc::Call call, StoredGame stored, MoveCommand command);
  Task<Result<MoveOutcome>> Repeat(StoredGame stored, int ply);

  Committer& committer_;
  GameStore& store_;
  GameClock& clock_;
  RulesPort& rules_;
  const TimeSource& time_;
};

}  // namespace komadai::game
