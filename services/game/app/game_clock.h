// GameClock: the clock of a stored game, as the clock service keeps it.
//
// A game is committed before its clock is told of it. So the clock may be behind its game, when it
// does not know a takeback, a restart or a pause yet. After a crash it may be ahead of its game,
// when it was pressed for a move that never came on record.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/until_committed.h"
#include "libs/rpc/call.h"
#include "services/game/ports/clock_port.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

class GameClock {
 public:
  // Told of a game whose clock has been ahead of it for so long that it must be mended.
  using OnAhead = std::function<void(const StoredGame&)>;

  GameClock(GameStore& store, ClockPort& clock, const TimeSource& time, OnAhead on_ahead)
      : store_(store), clock_(clock), time_(time), on_ahead_(std::move(on_ahead)) {}

  // It runs since the creation of the game, however late it is started. Idempotent.
  Task<Result<timecontrol::Reading>> Start(rpc::Call call, std::shared_ptr<const Game> game);
  // The mover's press, at the instant of the call. `stored` is fresh if the clock is behind it.
  Task<Result<PressedClock>> Press(rpc::Call call, StoredGame stored, Side side,
                                   std::optional<Millis> thinking);
  // `gift` names the gift: it is given once.
  Task<Result<timecontrol::Reading>> AddTime(rpc::Call call, std::string game_id, std::string gift,
                                             Side receiver, Millis add);
  // A clock that was never started needs no stopping: its error means nothing.
  Task<void> Stop(rpc::Call call, std::string game_id, TimePoint at);

  // The clock as it stands, whatever the game says.
  Task<Result<timecontrol::Reading>> Read(rpc::Call call, std::string game_id);
  // The same; a clock that is ahead of `stored` for too long is reported.
  Task<Result<timecontrol::Reading>> ReadFor(rpc::Call call, StoredGame stored);
  // The clock of the open ply, now. A lost race: it has been pressed by a move that is not yet on
  // record. TIME_IS_UP.
  Task<livestore::Attempt<timecontrol::Reading>> ReadOpen(rpc::Call call, FreshGame stored);
  // What the clock showed when the turn of `ply` began, which may be the open one.
  Task<Result<timecontrol::Reading>> ReadAtStartOf(std::shared_ptr<const Game> game, int ply);
  // What the end of a game with a clock records; the last known reading if the clock is away.
  Task<std::optional<timecontrol::Reading>> ReadAtEnd(rpc::Call call, StoredGame stored);

  // Tells the clock of the takebacks, restarts and pauses that it does not know of yet. Idempotent.
  // Needs a fresh game: what an older version would tell, the clock may have forgotten long ago. An
  // order that is refused for good does not keep the later ones back; its error is the answer.
  Task<Status> CatchUp(rpc::Call call, FreshGame stored);

 private:
  Task<Result<timecontrol::Reading>> Tell(rpc::Call call, std::string game_id, ClockOrder order);
  void Notice(const StoredGame& stored, const timecontrol::Reading& reading) const;

  GameStore& store_;
  ClockPort& clock_;
  const TimeSource& time_;
  const OnAhead on_ahead_;
};

}  // namespace komadai::game
