#include "services/game/app/game_clock.h"

#include "libs/convert/time_control.h"
#include "services/game/app/chores.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

constexpr Millis kPressTimeout{5000};

Error TimeIsUp(const Game& game) {
  return Error{kTimeIsUp,
               "the time of the side to move is up",
               {{"game", game.id}, {"side", SideName(game.board.to_move)}}};
}

}  // namespace

Task<Result<timecontrol::Reading>> GameClock::Start(rpc::Call call,
                                                    std::shared_ptr<const Game> game) {
  return clock_.Start(call, game->id, *game->time_control, game->setup.moves_first,
                      game->created_at);
}

Task<Result<PressedClock>> GameClock::Press(rpc::Call call, StoredGame stored, Side side,
                                            std::optional<Millis> thinking) {
  const Game& game = *stored.game;
  const TimePoint at = call.received_at();
  // Not cut short by the client's deadline: a press that happens must be followed by its move, or a
  // player could stop their clock without moving.
  const rpc::Call own = rpc::Call::Background(call.request_id(), time_, kPressTimeout);
  if (ClockIsBehind(stored)) {
    Status told = co_await CatchUp(own, FreshGame(stored));
    if (!told) co_return std::move(told).error();
  }
  Result<PressedClock> pressed =
      co_await clock_.Press(own, game.id, game.ply(), side, at, thinking);
  if (!pressed && pressed.error().Is(kClockNotFound)) {
    // A crash came between the creation and the start of the clock: it has run since the creation.
    Result<timecontrol::Reading> started = co_await Start(own, stored.game);
    if (!started) co_return std::move(started).error();
    pressed = co_await clock_.Press(own, game.id, game.ply(), side, at, thinking);
  }
  co_return pressed;
}

Task<Result<timecontrol::Reading>> GameClock::AddTime(rpc::Call call, std::string game_id,
                                                      std::string gift, Side receiver, Millis add) {
  return clock_.AddTime(call, std::move(game_id), std::move(gift), receiver, add,
                        call.received_at());
}

Task<void> GameClock::Stop(rpc::Call call, std::string game_id, TimePoint at) {
  (void)co_await clock_.Stop(call, std::move(game_id), at);
}

Task<Result<timecontrol::Reading>> GameClock::Read(rpc::Call call, std::string game_id) {
  return clock_.Read(call, std::move(game_id));
}

Task<Result<timecontrol::Reading>> GameClock::ReadFor(rpc::Call call, StoredGame stored) {
  Result<timecontrol::Reading> reading = co_await clock_.Read(call, stored.game->id);
  if (reading) Notice(stored, *reading);
  co_return reading;
}

Task<livestore::Attempt<timecontrol::Reading>> GameClock::ReadOpen(rpc::Call call,
                                                                   FreshGame stored) {
  if (ClockIsBehind(*stored)) {
    Status told = co_await CatchUp(call, stored);
    if (!told) co_return std::move(told).error();
  }
  const Game& game = *stored->game;
  Result<timecontrol::Reading> reading = co_await clock_.Read(call, game.id);
  if (!reading && reading.error().Is(kClockNotFound)) {
    reading = co_await Start(call, stored->game);
  }
  if (!reading) co_return std::move(reading).error();
  if (reading->ply != game.ply() || !reading->running) {
    Notice(*stored, *reading);
    co_return livestore::LostRace{};
  }
  if (reading->deadline && reading->at >= *reading->deadline) co_return TimeIsUp(game);
  co_return *std::move(reading);
}

Task<Result<timecontrol::Reading>> GameClock::ReadAtStartOf(std::shared_ptr<const Game> game,
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
    Result<pb::GameEvent> event = co_await store_.ReadEvent(game->id, from);
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

Task<std::optional<timecontrol::Reading>> GameClock::ReadAtEnd(rpc::Call call, StoredGame stored) {
  const Game& game = *stored.game;
  if (ClockIsBehind(stored)) {  // it would show what no longer counts
    Status told = co_await CatchUp(call, FreshGame(stored));
    if (!told) co_return game.clock;
  }
  Result<timecontrol::Reading> reading = co_await clock_.Read(call, game.id);
  if (!reading) co_return game.clock;
  co_return *std::move(reading);
}

Task<Status> GameClock::CatchUp(rpc::Call call, FreshGame stored) {
  Status refused;
  const Game& game = *stored->game;
  for (const ClockOrder& order : game.clock_orders) {
    if (order.sequence <= stored->progress.clock_told) continue;
    Result<timecontrol::Reading> told = co_await Tell(call, game.id, order);
    if (!told && told.error().Is(kClockNotFound) && !game.over()) {
      told = co_await Start(call, stored->game);
      if (told) told = co_await Tell(call, game.id, order);
    }
    if (told) continue;
    if (IsTransient(told.error())) co_return std::move(told).error();
    if (refused) refused = std::move(told).error();
  }
  co_return refused;
}

Task<Result<timecontrol::Reading>> GameClock::Tell(rpc::Call call, std::string game_id,
                                                   ClockOrder order) {
  // Named after the event: however often the clock is told, it does so once.
  const std::string number = std::to_string(order.sequence);
  switch (order.kind) {
    case ClockOrder::Kind::kRewind:
      return clock_.Rewind(call, std::move(game_id), "takeback-" + number, order.ply, order.to_move,
                           order.at, /*restart=*/false);
    case ClockOrder::Kind::kRestart:
      return clock_.Rewind(call, std::move(game_id), "restart-" + number, order.ply, order.to_move,
                           order.at, /*restart=*/true);
    case ClockOrder::Kind::kPause:
      return clock_.Pause(call, std::move(game_id), "pause-at-" + number, order.ply, order.at);
    case ClockOrder::Kind::kResume:
      break;
  }
  return clock_.Resume(call, std::move(game_id), "resume-at-" + number, order.ply, order.at);
}

void GameClock::Notice(const StoredGame& stored, const timecontrol::Reading& reading) const {
  if (ClockAheadFor(*stored.game, reading, time_.Now()) >= kRepairAfter) on_ahead_(stored);
}

}  // namespace komadai::game
