#include "services/game/domain/pause.h"

#include <algorithm>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

bool WentOnAt(const Game& game, int ply) {
  return std::any_of(game.clock_orders.begin(), game.clock_orders.end(), [ply](const auto& order) {
    return order.kind == ClockOrder::Kind::kResume && order.ply == ply;
  });
}

}  // namespace

Result<PauseDecision> DecideOfferPause(const Game& game, Side side, int expected_ply,
                                       Millis length) {
  if (game.pauses.NumberAt(side, expected_ply) > 0) return PauseDecision{};
  if (Status running = CheckRunningAt(game, expected_ply); !running) {
    return std::move(running).error();
  }
  if (!game.time_control) {
    return Error{kPauseNotAllowed, "a game without a clock needs no pause", {{"game", game.id}}};
  }
  if (game.pauses.open_by() == side) return PauseDecision{};
  if (game.pauses.open_by()) {
    return Error{kPauseAlreadyOffered,
                 "the opponent has offered a pause: answer that offer",
                 {{"game", game.id}}};
  }
  if (game.pauses.count(side) >= kMaxPauseOffers) {
    return Error{kTooManyPauseOffers,
                 "a player may offer a pause at most " + std::to_string(kMaxPauseOffers) +
                     " times in a game",
                 {{"game", game.id}, {"limit", std::to_string(kMaxPauseOffers)}}};
  }
  return PauseDecision{
      {PauseOffered{side, length}}, game.IsComputer(rules::Opponent(side)), length};
}

Result<PauseDecision> DecideAnswerPause(const Game& game, Side side, bool accept,
                                        std::int64_t offer) {
  if (game.pauses.CanAnswer(side, offer)) {
    if (!accept) return PauseDecision{{PauseDeclined{side}}, false, Millis(0)};
    return PauseDecision{{}, true, game.pause_offered};
  }
  if (game.pauses.FindRepeat(side, offer, accept, game.ply()) != nullptr) return PauseDecision{};
  if (game.over()) return GameIsOver(game);
  return Error{kNoPauseOffer, "the opponent has not offered a pause", {{"game", game.id}}};
}

Result<Events> DecideResume(const Game& game, Side side, int expected_ply, TimePoint now) {
  if (!game.paused() && WentOnAt(game, expected_ply)) return Events{};
  if (Status live = CheckLiveAt(game, expected_ply); !live) return std::move(live).error();
  if (!game.paused()) {
    return Error{kGameNotPaused, "the game is not paused", {{"game", game.id}}};
  }
  if (game.pause->resume_wanted_by == side) return Events{};
  if (game.pause->resume_wanted_by || game.IsComputer(rules::Opponent(side))) {
    return Events{ResumedAt(game, now)};
  }
  return Events{ResumeWanted{side}};
}

Resumed ResumedAt(const Game& game, TimePoint now) {
  if (!game.clock || !game.time_control) return {};
  return {timecontrol::RunFrom(*game.time_control, *game.clock, game.board.to_move, now)};
}

}  // namespace komadai::game
