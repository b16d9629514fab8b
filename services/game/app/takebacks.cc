// Takebacks: the part of GameCommands that undoes moves.
#include <utility>

#include "libs/convert/time_control.h"
#include "services/game/app/game_commands.h"
#include "services/game/errors.h"

namespace komadai::game {

Task<Result<TakebackOutcome>> GameCommands::RequestTakeback(PlayerAction action, int expected_ply) {
  return Takeback(std::move(action), [expected_ply](const Game& game, Side side) {
    return DecideRequestTakeback(game, side, expected_ply);
  });
}

Task<Result<TakebackOutcome>> GameCommands::AnswerTakeback(PlayerAction action, bool accept,
                                                           std::int64_t request) {
  return Takeback(std::move(action), [accept, request](const Game& game, Side side) {
    return DecideAnswerTakeback(game, side, accept, request);
  });
}

Task<Result<TakebackOutcome>> GameCommands::Takeback(PlayerAction action, DecideTakeback decide) {
  const std::string game_id = action.game_id;
  return UntilCommitted(game_id, [this, action = std::move(action), decide](int) {
    return TryTakeback(action, decide);
  });
}

Task<livestore::Attempt<TakebackOutcome>> GameCommands::TryTakeback(PlayerAction action,
                                                                    DecideTakeback decide) {
  Result<StoredGame> stored = co_await table_.store().Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, action.player_id);
  if (!side) co_return std::move(side).error();
  Result<TakebackDecision> decision = decide(*stored->game, *side);
  if (!decision) co_return std::move(decision).error();
  if (decision->repeat) co_return TakebackOutcome{decision->granted, decision->ply};
  if (decision->granted) {
    livestore::Attempt<TakebackOutcome> taken =
        co_await TakeBack(action.call, *stored, decision->plies);
    co_return taken;
  }
  const TakebackOutcome asked{false, stored->game->ply()};
  GameAttempt committed =
      co_await table_.Commit(*stored, std::move(decision->events), action.call.received_at());
  co_return std::move(committed).With(asked);
}

Task<livestore::Attempt<TakebackOutcome>> GameCommands::TakeBack(rpc::Call call, StoredGame stored,
                                                                 int plies) {
  const Game& game = *stored.game;
  TakenBack taken;
  taken.ply = game.ply() - plies;
  std::vector<std::string> moves;
  for (int ply = 0; ply < taken.ply; ++ply) {
    moves.push_back(game.moves[static_cast<std::size_t>(ply)].move);
  }
  Result<BoardState> board = co_await rules_.Replay(call, game.setup, std::move(moves));
  if (!board) co_return std::move(board).error();
  taken.board = std::move(board).value();
  TimePoint at = call.received_at();
  if (game.time_control) {
    // The clock is told after the commit: if it were before, a commit that loses to a move would
    // leave a clock that has gone back behind its game.
    livestore::Attempt<timecontrol::Reading> now = co_await ReadOpenClock(call, FreshGame(stored));
    if (!now.committed()) co_return std::move(now).With(TakebackOutcome());
    Result<timecontrol::Reading> then = co_await ReadingAtStartOf(stored.game, taken.ply);
    if (!then) co_return std::move(then).error();
    at = now->at;
    taken.clock = timecontrol::RunFrom(*game.time_control, *then, taken.board.to_move, at);
  }
  const TakebackOutcome outcome{true, taken.ply};
  Events events;
  events.emplace_back(std::move(taken));
  GameAttempt committed = co_await table_.Commit(std::move(stored), std::move(events), at);
  co_return std::move(committed).With(outcome);
}

Task<Result<timecontrol::Reading>> GameCommands::ReadingAtStartOf(std::shared_ptr<const Game> game,
                                                                  int ply) {
  timecontrol::Reading reading;
  std::int64_t from = 1;  // the event that began the turn
  if (ply == 0) {
    Result<timecontrol::ClockState> start =
        timecontrol::Start(*game->time_control, game->setup.moves_first, game->created_at);
    if (!start) co_return std::move(start).error();
    reading = timecontrol::Read(*start, game->created_at);
  } else {
    from = game->moves[static_cast<std::size_t>(ply) - 1].sequence;
    Result<pb::GameEvent> event = co_await table_.store().ReadEvent(game->id, from);
    if (!event) co_return std::move(event).error();
    reading = convert::ReadingFromProto(event->move_played().clock());
  }
  // Time that was given during that turn stays.
  const bool open = ply == game->ply();
  const std::int64_t until =
      open ? game->sequence + 1 : game->moves[static_cast<std::size_t>(ply)].sequence;
  for (const TimeGift& gift : game->time_gifts) {
    if (gift.undone || gift.sequence <= from || gift.sequence >= until) continue;
    (gift.to == Side::kFirst ? reading.first : reading.second).main_left += gift.add;
  }
  co_return reading;
}

}  // namespace komadai::game
