#include "services/game/domain/decide.h"

#include <algorithm>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

Error GameIsOver(const Game& game) {
  return Error{kGameOver, "the game is over", {{"game", game.id}}};
}

Error PlyIsStale(const Game& game, int expected_ply) {
  return Error{
      kStalePly,
      "the game is at ply " + std::to_string(game.ply()) + ", not " + std::to_string(expected_ply),
      {{"game", game.id},
       {"ply", std::to_string(game.ply())},
       {"expected_ply", std::to_string(expected_ply)}}};
}

Ended End(const Game& game, Outcome outcome, Ending ending) {
  return {{outcome, ending, game.ply()}, std::nullopt};
}

// One ply while the opponent is to move, else two: the own move before the opponent's.
int PliesToTakeBack(const Game& game, Side side) { return game.board.to_move == side ? 2 : 1; }

}  // namespace

Result<Side> SideOf(const Game& game, std::string_view player_id) {
  if (!player_id.empty()) {
    if (game.player(Side::kFirst).id == player_id) return Side::kFirst;
    if (game.player(Side::kSecond).id == player_id) return Side::kSecond;
  }
  return Error{kNotAPlayer, "the caller does not play in this game", {{"game", game.id}}};
}

Result<MoveDecision> DecideMove(const Game& game, Side side, int expected_ply,
                                std::string_view move) {
  if (expected_ply >= 0 && expected_ply < game.ply()) {
    const bool same = game.moves[static_cast<std::size_t>(expected_ply)].move == move &&
                      game.MoverOf(expected_ply) == side;
    if (same) return MoveDecision::kRepeat;
    if (game.over()) return GameIsOver(game);
    return PlyIsStale(game, expected_ply);
  }
  if (game.over()) return GameIsOver(game);
  if (expected_ply != game.ply()) return PlyIsStale(game, expected_ply);
  if (game.board.to_move != side) {
    return Error{kNotYourTurn,
                 std::string("it is the ") + SideName(game.board.to_move) + " side's turn",
                 {{"game", game.id}, {"side_to_move", SideName(game.board.to_move)}}};
  }
  return MoveDecision::kPlay;
}

Result<Events> DecideResign(const Game& game, Side side) {
  const Outcome outcome = WinFor(rules::Opponent(side));
  if (game.over()) {
    const bool same =
        game.result->ending == Ending::kResignation && game.result->outcome == outcome;
    if (same) return Events{};
    return GameIsOver(game);
  }
  return Events{End(game, outcome, Ending::kResignation)};
}

Result<Events> DecideOfferDraw(const Game& game, Side side, int expected_ply) {
  if (game.over()) return GameIsOver(game);
  if (expected_ply != game.ply()) return PlyIsStale(game, expected_ply);
  if (game.draw_offered_by == side) return Events{};
  if (game.draw_offered_by) {
    return Error{kDrawAlreadyOffered,
                 "the opponent has offered a draw: answer that offer",
                 {{"game", game.id}}};
  }
  if (game.draw_offers[static_cast<std::size_t>(rules::Index(side))] >= kMaxDrawOffers) {
    return Error{
        kTooManyDrawOffers,
        "a player may offer a draw at most " + std::to_string(kMaxDrawOffers) + " times in a game",
        {{"game", game.id}, {"limit", std::to_string(kMaxDrawOffers)}}};
  }
  return Events{DrawOffered{side}};
}

Result<Events> DecideAnswerDraw(const Game& game, Side side, bool accept) {
  if (game.over()) {
    if (accept && game.result->ending == Ending::kAgreedDraw) return Events{};
    return GameIsOver(game);
  }
  if (game.draw_offered_by != rules::Opponent(side)) {
    return Error{kNoDrawOffer, "the opponent has not offered a draw", {{"game", game.id}}};
  }
  if (!accept) return Events{DrawDeclined{side}};
  return Events{End(game, Outcome::kDraw, Ending::kAgreedDraw)};
}

Result<Events> DecideAbort(const Game& game, Side) {
  if (game.over()) {
    if (game.result->ending == Ending::kAborted) return Events{};
    return GameIsOver(game);
  }
  if (game.ply() >= 2) {
    return Error{kTooLateToAbort,
                 "both sides have moved: resign or offer a draw instead",
                 {{"game", game.id}}};
  }
  return Events{End(game, Outcome::kNoResult, Ending::kAborted)};
}

Events DecideTimeOut(const Game& game, int ply, Side side) {
  if (game.over() || game.ply() != ply || game.board.to_move != side) return {};
  return {End(game, WinFor(rules::Opponent(side)), Ending::kTimeOut)};
}

Result<TakebackDecision> DecideRequestTakeback(const Game& game, Side side, int expected_ply) {
  if (game.over()) return GameIsOver(game);
  if (expected_ply != game.ply()) return PlyIsStale(game, expected_ply);
  const bool computer = game.player(rules::Opponent(side)).kind == PlayerKind::kComputer;
  if (computer ? game.time_control.has_value() : !game.allow_takeback) {
    return Error{kTakebackNotAllowed,
                 computer ? "moves are taken back from the computer only without a clock"
                          : "this game was created without takebacks",
                 {{"game", game.id}}};
  }
  TakebackDecision decision{PliesToTakeBack(game, side), computer, {}};
  if (decision.plies > game.ply()) {
    return Error{kTakebackNotAllowed, "there is no own move to take back", {{"game", game.id}}};
  }
  if (!computer && game.takeback_requested_by != side) {
    decision.events.push_back(TakebackRequested{side});
  }
  return decision;
}

Result<TakebackDecision> DecideAnswerTakeback(const Game& game, Side side, bool accept) {
  if (game.over()) return GameIsOver(game);
  const Side asker = rules::Opponent(side);
  if (game.takeback_requested_by != asker) {
    return Error{
        kNoTakebackRequest, "the opponent has not asked for a takeback", {{"game", game.id}}};
  }
  if (!accept) return TakebackDecision{0, false, {TakebackDeclined{side}}};
  return TakebackDecision{PliesToTakeBack(game, asker), true, {}};
}

Result<bool> DecideAddTime(const Game& game, Side, std::string_view request_id) {
  const auto& gifts = game.time_gifts;
  if (std::find(gifts.begin(), gifts.end(), request_id) != gifts.end()) return false;
  if (game.over()) return GameIsOver(game);
  if (game.rated || !game.time_control || gifts.size() >= kMaxTimeGifts) {
    return Error{kTimeGiftNotAllowed,
                 "time is given only in casual games with a clock, at most " +
                     std::to_string(kMaxTimeGifts) + " times",
                 {{"game", game.id}}};
  }
  return true;
}

}  // namespace komadai::game
