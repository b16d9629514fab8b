#include "services/game/app/takebacks.h"

#include <utility>

namespace komadai::game {

Task<Result<TakebackOutcome>> Takebacks::Request(PlayerAction action, int expected_ply) {
  return Run(std::move(action), [expected_ply](const Game& game, Side side) {
    return DecideRequestTakeback(game, side, expected_ply);
  });
}

Task<Result<TakebackOutcome>> Takebacks::Answer(PlayerAction action, bool accept,
                                                std::int64_t request) {
  return Run(std::move(action), [accept, request](const Game& game, Side side) {
    return DecideAnswerTakeback(game, side, accept, request);
  });
}

Task<Result<TakebackOutcome>> Takebacks::Run(PlayerAction action, Decide decide) {
  const std::string game_id = action.game_id;
  return UntilCommitted(
      game_id, [this, action = std::move(action), decide](int) { return Try(action, decide); });
}

Task<livestore::Attempt<TakebackOutcome>> Takebacks::Try(PlayerAction action, Decide decide) {
  Result<StoredGame> stored = co_await store_.Load(action.game_id);
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
      co_await committer_.Commit(*stored, std::move(decision->events), action.call.received_at());
  co_return std::move(committed).With(asked);
}

Task<livestore::Attempt<TakebackOutcome>> Takebacks::TakeBack(rpc::Call call, StoredGame stored,
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
    livestore::Attempt<timecontrol::Reading> now =
        co_await clock_.ReadOpen(call, FreshGame(stored));
    if (!now.committed()) co_return std::move(now).With(TakebackOutcome());
    Result<timecontrol::Reading> then = co_await clock_.ReadAtStartOf(stored.game, taken.ply);
    if (!then) co_return std::move(then).error();
    at = now->at;
    taken.clock = timecontrol::RunFrom(*game.time_control, *then, taken.board.to_move, at);
  }
  const TakebackOutcome outcome{true, taken.ply};
  Events events;
  events.emplace_back(std::move(taken));
  GameAttempt committed = co_await committer_.Commit(std::move(stored), std::move(events), at);
  co_return std::move(committed).With(outcome);
}

}  // namespace komadai::game
