#include "services/game/app/chores.h"

#include <algorithm>

#include "services/game/domain/timers.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

// How long the immediate follow-up of a commit has before the sweep takes over.
constexpr Millis kFollowUpGrace{2000};
// The same for a computer's move, which includes thinking.
constexpr Millis kComputerGrace{30000};

}  // namespace

Chore ChoreOf(const StoredGame& stored, TimePoint now) {
  const Game& game = *stored.game;
  if (game.over()) return stored.progress.archived ? Chore::kNone : Chore::kFinish;
  const std::optional<TimePoint> timer = NextTimer(game);
  if (timer && now >= *timer) return Chore::kTimer;
  if (!stored.progress.started) return Chore::kStart;
  if (ClockIsBehind(stored)) return Chore::kClock;
  if (game.paused()) return Chore::kNone;
  return game.IsComputer(game.board.to_move) ? Chore::kComputer : Chore::kNone;
}

std::optional<TimePoint> TodoAt(const StoredGame& stored, Chore chore, TimePoint now) {
  switch (chore) {
    case Chore::kNone:
      return NextTimer(*stored.game);
    case Chore::kTimer:
    case Chore::kStart:
    case Chore::kClock:
    case Chore::kFinish:
      return now + kFollowUpGrace;
    case Chore::kComputer:
      return now + kComputerGrace;
  }
  return std::nullopt;
}

bool ClockIsBehind(const StoredGame& stored) {
  const auto& orders = stored.game->clock_orders;
  return !orders.empty() && orders.back().sequence > stored.progress.clock_told;
}

Millis ClockAheadFor(const Game& game, const timecontrol::Reading& reading, TimePoint now) {
  if (game.over() || game.paused() || reading.ply != game.ply() + 1 || !reading.running) {
    return Millis(0);
  }
  Millis played(0);  // by the side whose turn the clock takes it to be
  for (int ply = 0; ply < game.ply(); ++ply) {
    if (game.MoverOf(ply) != *reading.running) continue;
    played += game.moves[static_cast<std::size_t>(ply)].used;
  }
  // A reading past its deadline shows the deadline.
  const Millis beyond = reading.deadline ? now - *reading.deadline : Millis(0);
  return reading.of(*reading.running).used - played + std::max(beyond, Millis(0));
}

rpc::Call ChoreCall(const std::string& game_id, const TimeSource& time, Millis timeout) {
  return rpc::Call::Background("game-" + game_id, time, timeout);
}

bool IsTransient(const Error& error) {
  return error.code() == Code::kUnavailable || error.code() == Code::kDeadlineExceeded ||
         error.code() == Code::kResourceExhausted || error.code() == Code::kCancelled ||
         error.code() == Code::kInternal || error.Is(kContention);
}

}  // namespace komadai::game
