#include "services/game/app/flags.h"

#include <utility>

#include "services/game/app/chores.h"
#include "services/game/domain/timers.h"
#include "services/game/errors.h"

namespace komadai::game {

Task<void> Flags::OnExpiry(Expiry expiry) {
  const TimePoint now = time_.Now();
  if (now < expiry.deadline) co_return;  // never before the deadline, whatever the message says
  const rpc::Call call = ChoreCall(expiry.game_id, time_, kChoreTimeout);
  // A failure confirms nothing; the announcement will be repeated.
  Result<StoredGame> stored = co_await TimeOut(call, expiry);
  if (!stored) {
    if (stored.error().Is(kGameNotFound)) co_await clock_.Stop(call, expiry.game_id, now);
    co_return;
  }
  const Game& game = *stored->game;
  if (!game.over() && (game.paused() || ClockIsBehind(*stored))) {
    co_await chores_.Tend(game.id);  // the clock should not run, or not at this ply
  } else if (game.over()) {
    if (game.result->ending == Ending::kTimeOut) metrics_.Flagged(now - expiry.deadline);
    if (ClockIsBehind(*stored)) (void)co_await chores_.CatchUpClock(*stored);
    co_await clock_.Stop(call, game.id, game.ended_at);
  } else if (expiry.ply > game.ply()) {
    co_await Mend(game.id);
  }
}

Task<Result<StoredGame>> Flags::TimeOut(rpc::Call call, Expiry expiry) {
  return UntilCommitted(expiry.game_id,
                        [this, call, expiry](int) { return TryTimeOut(call, expiry); });
}

Task<GameAttempt> Flags::TryTimeOut(rpc::Call call, Expiry expiry) {
  Result<StoredGame> stored = co_await store_.Load(expiry.game_id);
  if (!stored) co_return std::move(stored).error();
  Events events = DecideTimeOut(*stored->game, expiry.ply, expiry.side);
  if (events.empty() || ClockIsBehind(*stored)) co_return std::move(stored).value();
  // Read after the game: a change of the game makes the commit fail, and this turn of the clock
  // takes none after its flag has fallen.
  Result<timecontrol::Reading> clock = co_await clock_.Read(call, expiry.game_id);
  if (!clock) co_return std::move(clock).error();
  const TimePoint now = time_.Now();
  if (clock->ply != expiry.ply || clock->deadline != expiry.deadline || now < expiry.deadline) {
    co_return std::move(stored).value();
  }
  for (EventBody& body : events) std::get<Ended>(body).clock = *clock;
  GameAttempt committed = co_await committer_.Commit(*stored, std::move(events), now);
  co_return committed;
}

void Flags::MendClock(const StoredGame& stored) { background_.Spawn(Mend(stored.game->id)); }

// The clock was pressed for a move that a crash kept from being committed: the mover's turn begins
// again. That is an event of the game, for the move may still come, and only one of the two can be
// next.
Task<void> Flags::Mend(std::string game_id) {
  const rpc::Call call = ChoreCall(game_id, time_, kChoreTimeout);
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored || ClockIsBehind(*stored)) co_return;
  const Game& game = *stored->game;
  Result<timecontrol::Reading> clock = co_await clock_.Read(call, game.id);
  const TimePoint now = time_.Now();
  if (!clock || ClockAheadFor(game, *clock, now) < kRepairAfter) co_return;
  Result<timecontrol::Reading> start = co_await clock_.ReadAtStartOf(stored->game, game.ply());
  if (!start) co_return;
  Events events;
  events.emplace_back(
      TurnRestarted{timecontrol::RunFrom(*game.time_control, *start, game.board.to_move, now)});
  GameAttempt committed = co_await committer_.Commit(*stored, std::move(events), now);
  if (committed.committed()) metrics_.ClockRepaired();
}

}  // namespace komadai::game
