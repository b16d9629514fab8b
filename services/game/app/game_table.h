// GameTable: commits decisions on live games, again and again until one holds.
//
// Everything the service does to a game goes through here: load (or take the cached version),
// decide, commit on that version. A conflict or a refusal decided on a cached version is decided
// again on the present one, so that nobody is refused because another replica knows more.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/until_committed.h"
#include "libs/rpc/call.h"
#include "services/game/app/chores.h"
#include "services/game/domain/decide.h"
#include "services/game/ports/clock_port.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

class GameTable {
 public:
  static constexpr int kMaxAttempts = 8;
  using Decide = std::function<Result<Events>(const Game&, Side)>;
  using DecideAlone = std::function<Events(const Game&, TimePoint now)>;
  // Told of every committed version that leaves a chore.
  using FollowUp = std::function<void(const StoredGame&)>;

  GameTable(GameStore& store, ClockPort& clock, const TimeSource& time)
      : store_(store), clock_(clock), time_(time) {}

  void SetFollowUp(FollowUp follow_up) { follow_up_ = std::move(follow_up); }
  // Told of a game whose clock has been ahead of it for so long that it must be mended.
  void SetClockAhead(FollowUp clock_ahead) { clock_ahead_ = std::move(clock_ahead); }

  // One attempt to commit events that happened at `at`.
  Task<GameAttempt> Commit(StoredGame stored, Events events, TimePoint at);
  // One attempt to commit the progress that `stored` carries.
  Task<GameAttempt> Mark(StoredGame stored);
  // Looks after the game again at `when` (a chore failed). Best effort.
  Task<void> Postpone(StoredGame stored, TimePoint when);

  // A player's action: decided, committed, repeated on conflict. CONTENTION after kMaxAttempts.
  Task<Result<StoredGame>> Act(rpc::Call call, std::string game_id, std::string player_id,
                               Decide decide);

  // What happens without anybody's call, as the game stands now; the game after it.
  Task<Result<StoredGame>> ActAlone(rpc::Call call, std::string game_id, DecideAlone decide);
  // The flag of (ply, side) fell at `deadline`: ends the game if that ply is still open and its
  // clock still says so; the game after it.
  Task<Result<StoredGame>> TimeOut(rpc::Call call, std::string game_id, int ply, Side side,
                                   TimePoint deadline);

  // Tells the clock of the takebacks, restarts and pauses that it does not know of yet. Idempotent.
  // Needs a fresh game: what an older version would tell, the clock may have forgotten long ago. An
  // order that is refused for good does not keep the later ones back; its error is the answer.
  Task<Status> TellClock(rpc::Call call, FreshGame stored);
  // A reading was seen whose press has no move on record; does nothing unless that is so for long.
  void SawClock(const StoredGame& stored, const timecontrol::Reading& reading);

  GameStore& store() { return store_; }
  ClockPort& clock() { return clock_; }
  const TimeSource& time() const { return time_; }

 private:
  Task<GameAttempt> Append(StoredGame stored, std::vector<Event> events);
  Task<GameAttempt> TryAct(rpc::Call call, std::string game_id, std::string player_id,
                           Decide decide, bool cached_will_do);
  Task<GameAttempt> TryActAlone(rpc::Call call, std::string game_id, DecideAlone decide);
  Task<GameAttempt> TryTimeOut(rpc::Call call, std::string game_id, int ply, Side side,
                               TimePoint deadline);
  Task<Result<timecontrol::Reading>> Tell(rpc::Call call, std::string game_id, ClockOrder order);
  Task<void> FillEndClock(rpc::Call call, StoredGame stored, Events* events);

  GameStore& store_;
  ClockPort& clock_;
  const TimeSource& time_;
  FollowUp follow_up_;
  FollowUp clock_ahead_;
};

Error TooMuchContention(const std::string& game_id);

// Calls `attempt(number)` until one is final; CONTENTION after kMaxAttempts.
template <typename TryOnce>
auto UntilCommitted(std::string game_id, TryOnce attempt) {
  return livestore::UntilCommitted(GameTable::kMaxAttempts, std::move(attempt),
                                   [id = std::move(game_id)] { return TooMuchContention(id); });
}

}  // namespace komadai::game
