#include "services/game/app/game_commands.h"

#include <utility>

#include "libs/rpc/request_id.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

// Whether a repeated creation asks for the game that exists.
bool SameGame(const Game& game, const Setup& setup, const NewGame& wish) {
  return game.setup.variant == setup.variant && game.setup.ruleset == setup.ruleset &&
         game.setup.start_position == setup.start_position && game.players == wish.players &&
         game.rated == wish.rated && game.allow_takeback == wish.allow_takeback &&
         game.time_control == wish.time_control;
}

Error RequestIdReused() {
  return Error{kRequestIdReused, "this request id has created another game"};
}

std::string Join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ",") + word;
  return all;
}

}  // namespace

Task<Result<StoredGame>> GameCommands::Create(rpc::Call call, NewGame wish) {
  Result<Setup> setup = co_await rules_.Normalise(call, wish.wish);
  if (!setup) co_return std::move(setup).error();
  for (int attempt = 0; attempt < GameTable::kMaxAttempts; ++attempt) {
    Result<StoredGame> existing = co_await table_.store().Load(wish.id);
    if (existing) {
      if (!SameGame(*existing->game, *setup, wish)) co_return RequestIdReused();
      co_return existing;
    }
    if (!existing.error().Is(kGameNotFound)) co_return existing;
    auto game = std::make_shared<Game>();
    game->id = wish.id;
    StoredGame stored;
    stored.game = std::move(game);
    Started started{*setup, wish.players, wish.rated, wish.time_control, wish.allow_takeback};
    Events events;
    events.emplace_back(std::move(started));
    Result<StoredGame> committed =
        co_await table_.Commit(std::move(stored), std::move(events), call.received_at());
    if (committed && *committed) co_return committed;
    if (!committed && !committed.error().Is(livestore::kInDoubt)) co_return committed;
  }
  co_return TooMuchContention(wish.id);
}

Task<Result<StoredGame>> GameCommands::Read(rpc::Call call, std::string game_id) {
  Result<StoredGame> stored = co_await table_.store().Load(std::move(game_id));
  if (!stored || stored->game->over() || !stored->game->time_control) co_return stored;
  Result<timecontrol::Reading> reading = co_await table_.clock().Read(call, stored->game->id);
  if (!reading) co_return stored;  // the last known reading says at which instant it was taken
  auto game = std::make_shared<Game>(*stored->game);
  game->clock = *reading;
  stored->game = std::move(game);
  co_return stored;
}

Task<Result<StoredGame>> GameCommands::Resign(PlayerAction action) {
  return table_.Act(action.call, std::move(action.game_id), std::move(action.player_id),
                    DecideResign);
}

Task<Result<StoredGame>> GameCommands::OfferDraw(PlayerAction action, int expected_ply) {
  return table_.Act(action.call, std::move(action.game_id), std::move(action.player_id),
                    [expected_ply](const Game& game, Side side) {
                      return DecideOfferDraw(game, side, expected_ply);
                    });
}

Task<Result<StoredGame>> GameCommands::AnswerDraw(PlayerAction action, bool accept) {
  return table_.Act(
      action.call, std::move(action.game_id), std::move(action.player_id),
      [accept](const Game& game, Side side) { return DecideAnswerDraw(game, side, accept); });
}

Task<Result<StoredGame>> GameCommands::Abort(PlayerAction action) {
  return table_.Act(action.call, std::move(action.game_id), std::move(action.player_id),
                    DecideAbort);
}

Task<Result<ImpasseOutcome>> GameCommands::DeclareImpasse(PlayerAction action, int expected_ply,
                                                          bool confirm) {
  Result<StoredGame> stored = co_await table_.store().Load(action.game_id);
  if (!stored) co_return std::move(stored).error();
  const Game& game = *stored->game;
  Result<Side> side = SideOf(game, action.player_id);
  if (!side) co_return std::move(side).error();
  // A declaration is made on one's own turn, like a move.
  Result<MoveDecision> turn = DecideMove(game, *side, expected_ply, "");
  if (!turn) co_return std::move(turn).error();
  Result<ImpasseReport> report =
      co_await rules_.Impasse(action.call, game.setup, game.board.position);
  if (!report) co_return std::move(report).error();
  ImpasseOutcome outcome{std::move(report).value(), std::nullopt};
  if (!confirm) co_return outcome;
  if (!outcome.report.may_declare || !outcome.report.result_if_declared) {
    Error refused(kImpasseNotAllowed, "the conditions of an impasse are not met",
                  {{"game", game.id}, {"failed", Join(outcome.report.failed_conditions)}});
    co_return refused;
  }
  GameResult result = *outcome.report.result_if_declared;
  result.plies = game.ply();
  const GameTable::Decide decide = [expected_ply, result](const Game& now,
                                                          Side by) -> Result<Events> {
    Result<MoveDecision> allowed = DecideMove(now, by, expected_ply, "");
    if (!allowed) return std::move(allowed).error();
    return Events{Ended{result, std::nullopt}};
  };
  Result<StoredGame> ended =
      co_await table_.Act(action.call, action.game_id, action.player_id, decide);
  if (!ended) co_return std::move(ended).error();
  outcome.result = ended->game->result;
  co_return outcome;
}

Task<Result<TakebackOutcome>> GameCommands::RequestTakeback(PlayerAction action, int expected_ply) {
  return Takeback(std::move(action), [expected_ply](const Game& game, Side side) {
    return DecideRequestTakeback(game, side, expected_ply);
  });
}

Task<Result<TakebackOutcome>> GameCommands::AnswerTakeback(PlayerAction action, bool accept) {
  return Takeback(std::move(action), [accept](const Game& game, Side side) {
    return DecideAnswerTakeback(game, side, accept);
  });
}

Task<Result<TakebackOutcome>> GameCommands::Takeback(PlayerAction action, DecideTakeback decide) {
  for (int attempt = 0; attempt < GameTable::kMaxAttempts; ++attempt) {
    Result<StoredGame> stored = co_await table_.store().Load(action.game_id);
    if (!stored) co_return std::move(stored).error();
    Result<Side> side = SideOf(*stored->game, action.player_id);
    if (!side) co_return std::move(side).error();
    Result<TakebackDecision> decision = decide(*stored->game, *side);
    if (!decision) co_return std::move(decision).error();
    if (decision->granted) {
      Result<std::optional<TakebackOutcome>> taken =
          co_await TakeBack(action.call, *stored, decision->plies);
      if (!taken) co_return std::move(taken).error();
      if (taken->has_value()) co_return **taken;
      continue;
    }
    const TakebackOutcome asked{false, stored->game->ply()};
    if (decision->events.empty()) co_return asked;
    Result<StoredGame> committed =
        co_await table_.Commit(*stored, std::move(decision->events), action.call.received_at());
    if (committed && *committed) co_return asked;
    if (!committed && !committed.error().Is(livestore::kInDoubt)) {
      co_return std::move(committed).error();
    }
  }
  co_return TooMuchContention(action.game_id);
}

Task<Result<std::optional<TakebackOutcome>>> GameCommands::TakeBack(rpc::Call call,
                                                                    StoredGame stored, int plies) {
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
  if (game.time_control) {
    // The event to come names the request, so that a repeat after a crash rewinds only once.
    const std::string request = "takeback-" + std::to_string(game.sequence + 1);
    Result<timecontrol::Reading> reading = co_await table_.clock().Rewind(
        call, game.id, request, taken.ply, taken.board.to_move, call.received_at());
    if (!reading) co_return std::move(reading).error();
    taken.clock = *reading;
  }
  const TakebackOutcome outcome{true, taken.ply};
  Events events;
  events.emplace_back(std::move(taken));
  Result<StoredGame> committed =
      co_await table_.Commit(std::move(stored), std::move(events), call.received_at());
  if (!committed && !committed.error().Is(livestore::kInDoubt)) {
    co_return std::move(committed).error();
  }
  if (!committed || !*committed) co_return std::optional<TakebackOutcome>();
  co_return std::optional<TakebackOutcome>(outcome);
}

Task<Result<timecontrol::Reading>> GameCommands::AddTime(PlayerAction action,
                                                         std::string request_id, Millis add) {
  for (int attempt = 0; attempt < GameTable::kMaxAttempts; ++attempt) {
    Result<StoredGame> stored = co_await table_.store().Load(action.game_id);
    if (!stored) co_return std::move(stored).error();
    const Game& game = *stored->game;
    Result<Side> side = SideOf(game, action.player_id);
    if (!side) co_return std::move(side).error();
    Result<bool> allowed = DecideAddTime(game, *side, request_id);
    if (!allowed) co_return std::move(allowed).error();
    if (!*allowed) {
      Result<timecontrol::Reading> reading = co_await table_.clock().Read(action.call, game.id);
      co_return reading;
    }
    const Side receiver = Opponent(*side);
    const std::string gift = rpc::IdFromRequest(action.player_id, request_id);
    Result<timecontrol::Reading> reading = co_await table_.clock().AddTime(
        action.call, game.id, gift, receiver, add, action.call.received_at());
    if (!reading) co_return reading;
    Events events;
    events.emplace_back(TimeAdded{receiver, add, request_id, *reading});
    Result<StoredGame> committed =
        co_await table_.Commit(*stored, std::move(events), action.call.received_at());
    if (committed && *committed) co_return reading;
    if (!committed && !committed.error().Is(livestore::kInDoubt)) {
      co_return std::move(committed).error();
    }
  }
  co_return TooMuchContention(action.game_id);
}

}  // namespace komadai::game
