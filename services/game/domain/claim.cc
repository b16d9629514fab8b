#include "services/game/domain/claim.h"

#include <algorithm>
#include <string>

#include "services/game/errors.h"

namespace komadai::game {
namespace {

std::string SecondsUntil(TimePoint then, TimePoint now) {
  return std::to_string(std::chrono::ceil<std::chrono::seconds>(then - now).count());
}

}  // namespace

std::optional<TimePoint> ClaimableFrom(const Game& game, TimePoint seen) {
  const bool begun = game.ply() >= 2;  // before that it is aborted, not claimed
  if (game.options.claim_after == Millis(0) || !begun || game.over() || game.paused() ||
      game.IsComputer(game.board.to_move)) {
    return std::nullopt;
  }
  return std::max(seen, game.turn_began) + game.options.claim_after;
}

Result<Events> DecideClaim(const Game& game, Side side, int expected_ply, Outcome outcome,
                           TimePoint seen, TimePoint now) {
  const GameResult claimed{outcome, Ending::kAbandoned, expected_ply};
  if (game.result == claimed && game.board.to_move != side) return Events{};
  if (Status running = CheckRunningAt(game, expected_ply); !running) {
    return std::move(running).error();
  }
  if (game.board.to_move == side) {
    return Error{kNotOpponentsTurn,
                 "a game is claimed only while the opponent is to move",
                 {{"game", game.id}}};
  }
  const std::optional<TimePoint> from = ClaimableFrom(game, seen);
  if (!from) {
    return Error{kClaimNotAllowed,
                 game.options.claim_after == Millis(0) ? "this game was created without claims"
                                                       : "this game cannot be claimed now",
                 {{"game", game.id}}};
  }
  if (now < seen) {
    return Error{kOpponentPresent, "the opponent is there", {{"game", game.id}}};
  }
  if (now < *from) {
    return Error{kClaimTooEarly,
                 "the opponent has not been gone for long enough",
                 {{"game", game.id}, {"seconds_left", SecondsUntil(*from, now)}}};
  }
  return Events{EndOf(game, outcome, Ending::kAbandoned)};
}

}  // namespace komadai::game
