// Takebacks: the part of decide.h about undoing moves.
#include "services/game/domain/decide.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

// One ply while the opponent is to move, else two: the own move before the opponent's.
int PliesToTakeBack(const Game& game, Side side) { return game.board.to_move == side ? 2 : 1; }

TakebackDecision Repeat(bool granted, int ply) {
  TakebackDecision decision;
  decision.granted = granted;
  decision.repeat = true;
  decision.ply = ply;
  return decision;
}

// Whether a request at `expected_ply` is the one whose takeback was the last thing to happen: no
// other request can name a ply that the game has not reached.
bool WasJustGranted(const Game& game, Side side, int expected_ply) {
  return game.last_takeback && game.last_takeback->by == side &&
         game.last_takeback->from == expected_ply && game.ply() < expected_ply;
}

Status CheckAllowed(const Game& game, Side side) {
  const bool computer = game.IsComputer(rules::Opponent(side));
  if (computer ? game.time_control.has_value() : !game.allow_takeback) {
    return Error{kTakebackNotAllowed,
                 computer ? "moves are taken back from the computer only without a clock"
                          : "this game was created without takebacks",
                 {{"game", game.id}}};
  }
  if (PliesToTakeBack(game, side) > game.ply()) {
    return Error{kTakebackNotAllowed, "there is no own move to take back", {{"game", game.id}}};
  }
  const int limit = computer ? kMaxUndone : kMaxTakebacks;
  const int done = computer ? game.takebacks_done : game.takebacks.count(side);
  if (done >= limit) {
    return Error{kTooManyTakebacks,
                 "a game has at most " + std::to_string(limit) + " takebacks of a player",
                 {{"game", game.id}, {"limit", std::to_string(limit)}}};
  }
  return {};
}

}  // namespace

Result<TakebackDecision> DecideRequestTakeback(const Game& game, Side side, int expected_ply) {
  if (game.takebacks.NumberAt(side, expected_ply) > 0) return Repeat(false, expected_ply);
  if (WasJustGranted(game, side, expected_ply)) {
    // Between players the request itself was only noted; the answer to it granted the takeback.
    const bool at_once = game.IsComputer(rules::Opponent(side));
    return Repeat(at_once, at_once ? game.last_takeback->to : expected_ply);
  }
  if (Status running = CheckRunningAt(game, expected_ply); !running) {
    return std::move(running).error();
  }
  if (game.takebacks.open_by() == rules::Opponent(side)) {
    return Error{kTakebackNotAllowed,
                 "the opponent asks for a takeback: answer that request",
                 {{"game", game.id}}};
  }
  if (Status allowed = CheckAllowed(game, side); !allowed) return std::move(allowed).error();
  TakebackDecision decision;
  decision.plies = PliesToTakeBack(game, side);
  decision.granted = game.IsComputer(rules::Opponent(side));
  if (!decision.granted) decision.events.push_back(TakebackRequested{side});
  return decision;
}

Result<TakebackDecision> DecideAnswerTakeback(const Game& game, Side side, bool accept,
                                              std::int64_t request) {
  const Side asker = rules::Opponent(side);
  if (game.takebacks.CanAnswer(side, request)) {
    if (game.paused()) return GameIsPaused(game);
    TakebackDecision decision;
    if (accept) {
      decision.plies = PliesToTakeBack(game, asker);
      decision.granted = true;
    } else {
      decision.events.push_back(TakebackDeclined{side});
    }
    return decision;
  }
  const Offers::Answer* given = game.takebacks.FindRepeat(side, request, accept, game.ply());
  if (given != nullptr) return Repeat(accept, given->ply);
  if (game.over()) return GameIsOver(game);
  return Error{
      kNoTakebackRequest, "the opponent has not asked for a takeback", {{"game", game.id}}};
}

}  // namespace komadai::game
