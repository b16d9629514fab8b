#include "services/game/app/pauses.h"

#include <utility>

namespace komadai::game {

Task<Result<StoredGame>> Pauses::Offer(PlayerAction action, int expected_ply, Millis length) {
  return Pause(std::move(action), [expected_ply, length](const Game& game, Side side) {
    return DecideOfferPause(game, side, expected_ply, length);
  });
}

Task<Result<StoredGame>> Pauses::Answer(PlayerAction action, bool accept, std::int64_t offer) {
  return Pause(std::move(action), [accept, offer](const Game& game, Side side) {
    return DecideAnswerPause(game, side, accept, offer);
  });
}

Task<Result<StoredGame>> Pauses::Resume(PlayerAction action, int expected_ply) {
  const TimePoint now = action.call.received_at();
  return committer_.Act(std::move(action), [expected_ply, now](const Game& game, Side side) {
    return DecideResume(game, side, expected_ply, now);
  });
}

Task<Result<StoredGame>> Pauses::Pause(PlayerAction action, Decide decide) {
  const std::string game_id = action.game_id;
  return UntilCommitted(game_id, [this, action = std::move(action), decide](int) {
    return TryPause(action, decide);
  });
}

Task<GameAttempt> Pauses::TryPause(PlayerAction action, Decide decide) {
  Result<StoredGame> stored = co_await store_.Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, action.player_id);
  if (!side) co_return std::move(side).error();
  Result<PauseDecision> decision = decide(*stored->game, *side);
  if (!decision) co_return std::move(decision).error();
  Events events = std::move(decision->events);
  if (events.empty() && !decision->agreed) co_return std::move(stored).value();
  TimePoint at = action.call.received_at();
  if (decision->agreed) {
    // The pause begins when the clock was read, so that what it showed is what is left.
    livestore::Attempt<timecontrol::Reading> clock =
        co_await clock_.ReadOpen(action.call, FreshGame(*stored));
    if (!clock.committed()) co_return std::move(clock).With(StoredGame());
    timecontrol::Reading reading = *std::move(clock);
    at = reading.at;
    reading.running.reset();
    reading.deadline.reset();
    reading.paused = true;
    events.emplace_back(Paused{at + decision->length, reading});
  }
  GameAttempt committed = co_await committer_.Commit(*stored, std::move(events), at);
  co_return committed;
}

}  // namespace komadai::game
