// Pauses: the part of GameCommands that stops the clocks by agreement and lets them run on.
#include <utility>

#include "services/game/app/game_commands.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

Error TimeIsUp(const Game& game) {
  return Error{kTimeIsUp,
               "the time of the side to move is up",
               {{"game", game.id}, {"side", SideName(game.board.to_move)}}};
}

}  // namespace

Task<Result<StoredGame>> GameCommands::OfferPause(PlayerAction action, int expected_ply,
                                                  Millis length) {
  return Pause(std::move(action), [expected_ply, length](const Game& game, Side side) {
    return DecideOfferPause(game, side, expected_ply, length);
  });
}

Task<Result<StoredGame>> GameCommands::AnswerPause(PlayerAction action, bool accept,
                                                   std::int64_t offer) {
  return Pause(std::move(action), [accept, offer](const Game& game, Side side) {
    return DecideAnswerPause(game, side, accept, offer);
  });
}

Task<Result<StoredGame>> GameCommands::Resume(PlayerAction action, int expected_ply) {
  const TimePoint now = action.call.received_at();
  return table_.Act(action.call, std::move(action.game_id), std::move(action.player_id),
                    [expected_ply, now](const Game& game, Side side) {
                      return DecideResume(game, side, expected_ply, now);
                    });
}

Task<Result<StoredGame>> GameCommands::Pause(PlayerAction action, DecidePause decide) {
  const std::string game_id = action.game_id;
  return UntilCommitted(game_id, [this, action = std::move(action), decide](int) {
    return TryPause(action, decide);
  });
}

Task<GameAttempt> GameCommands::TryPause(PlayerAction action, DecidePause decide) {
  Result<StoredGame> stored = co_await table_.store().Load(action.game_id);
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
        co_await ReadOpenClock(action.call, FreshGame(*stored));
    if (!clock.committed()) co_return std::move(clock).With(StoredGame());
    timecontrol::Reading reading = *std::move(clock);
    at = reading.at;
    reading.running.reset();
    reading.deadline.reset();
    reading.paused = true;
    events.emplace_back(Paused{at + decision->length, reading});
  }
  GameAttempt committed = co_await table_.Commit(*stored, std::move(events), at);
  co_return committed;
}

Task<livestore::Attempt<timecontrol::Reading>> GameCommands::ReadOpenClock(rpc::Call call,
                                                                           FreshGame stored) {
  if (ClockIsBehind(*stored)) {
    Status told = co_await table_.TellClock(call, stored);
    if (!told) co_return std::move(told).error();
  }
  const Game& game = *stored->game;
  Result<timecontrol::Reading> reading = co_await table_.clock().Read(call, game.id);
  if (!reading && reading.error().Is(kClockNotFound)) {
    reading = co_await table_.clock().Start(call, game.id, *game.time_control,
                                            game.setup.moves_first, game.created_at);
  }
  if (!reading) co_return std::move(reading).error();
  if (reading->ply != game.ply() || !reading->running) {
    table_.SawClock(*stored, *reading);
    co_return livestore::LostRace{};
  }
  if (reading->deadline && reading->at >= *reading->deadline) co_return TimeIsUp(game);
  co_return *std::move(reading);
}

}  // namespace komadai::game
