#include "services/game/domain/timers.h"

#include "services/game/domain/pause.h"

namespace komadai::game {
namespace {

// Both sides make one first move each.
bool IsFirstMove(int ply) { return ply < 2; }

bool TooLong(const Game& game) { return game.ply() >= kMaxPlies || game.sequence >= kMaxEvents; }

}  // namespace

std::optional<TimePoint> FirstMoveDeadline(const Game& game) {
  const bool limited = game.options.first_move > Millis(0) && IsFirstMove(game.ply());
  if (!limited || game.over() || game.paused() || game.IsComputer(game.board.to_move)) {
    return std::nullopt;
  }
  return game.turn_began + game.options.first_move;
}

std::optional<TimePoint> NextTimer(const Game& game) {
  if (game.over()) return std::nullopt;
  if (TooLong(game)) return game.turn_began;
  if (game.paused()) return game.pause->until;
  return FirstMoveDeadline(game);
}

Events DecideTimer(const Game& game, TimePoint now) {
  const std::optional<TimePoint> due = NextTimer(game);
  if (!due || now < *due) return {};
  if (TooLong(game)) return {EndOf(game, Outcome::kDraw, Ending::kPlyLimit)};
  if (game.paused()) return {ResumedAt(game, now)};
  return {AbortedBy(game, game.board.to_move)};
}

Events DecideTimeOut(const Game& game, int ply, Side side) {
  if (game.over() || game.paused() || game.ply() != ply || game.board.to_move != side) return {};
  if (IsFirstMove(ply) && game.options.first_move > Millis(0)) {
    return {AbortedBy(game, side)};
  }
  return {EndOf(game, WinFor(rules::Opponent(side)), Ending::kTimeOut)};
}

}  // namespace komadai::game
