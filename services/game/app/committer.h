// Committer: commits decisions on live games and repeats them until one attempt holds.
//
// Every change of a game goes through here: load (or take the cached version), decide, commit on
// that version. A conflict or a refusal decided on a cached version is decided again on the present
// one, so that no player is refused because another replica knows more.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/result.h"
#include "libs/base/task.h"
#include "libs/base/time.h"
#include "libs/livestore/until_committed.h"
#include "libs/rpc/call.h"
#include "services/game/app/game_clock.h"
#include "services/game/domain/decide.h"
#include "services/game/store/game_store.h"

namespace komadai::game {

// Who acts on which game. When: call.received_at().
struct PlayerAction {
  rpc::Call call;
  std::string game_id;
  std::string player_id;
};

class Committer {
 public:
  static constexpr int kMaxAttempts = 8;
  using Decide = std::function<Result<Events>(const Game&, Side)>;
  using DecideAlone = std::function<Events(const Game&, TimePoint now)>;
  // Told of every committed version that leaves a chore.
  using FollowUp = std::function<void(const StoredGame&)>;

  Committer(GameStore& store, GameClock& clock, const TimeSource& time, FollowUp follow_up)
      : store_(store), clock_(clock), time_(time), follow_up_(std::move(follow_up)) {}

  // One attempt to commit events that happened at `at`.
  Task<GameAttempt> Commit(StoredGame stored, Events events, TimePoint at);
  // One attempt to commit the progress that `stored` carries.
  Task<GameAttempt> Mark(StoredGame stored);
  // The sweep looks at the game again at `when` (a chore failed). Best effort.
  Task<void> Postpone(StoredGame stored, TimePoint when);

  // A player's action: decided, committed, repeated on conflict. CONTENTION after kMaxAttempts.
  Task<Result<StoredGame>> Act(PlayerAction action, Decide decide);
  // An action of the service itself, decided on the game as it stands now; the game after it.
  Task<Result<StoredGame>> ActAlone(rpc::Call call, std::string game_id, DecideAlone decide);

 private:
  Task<GameAttempt> Append(StoredGame stored, std::vector<Event> events);
  Task<GameAttempt> TryAct(PlayerAction action, Decide decide, bool cached_will_do);
  Task<GameAttempt> TryActAlone(rpc::Call call, std::string game_id, DecideAlone decide);
  Task<void> FillEndClock(rpc::Call call, StoredGame stored, Events* events);

  GameStore& store_;
  GameClock& clock_;
  const TimeSource& time_;
  const FollowUp follow_up_;
};

Error TooMuchContention(const std::string& game_id);

// Calls `attempt(number)` until one is final; CONTENTION after kMaxAttempts.
template <typename TryOnce>
auto UntilCommitted(std::string game_id, TryOnce attempt) {
  return livestore::UntilCommitted(Committer::kMaxAttempts, std::move(attempt),
                                   [id = std::move(game_id)] { return TooMuchContention(id); });
}

}  // namespace komadai::game
