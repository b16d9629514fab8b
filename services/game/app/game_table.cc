#include "services/game/app/game_table.h"

#include <utility>

#include "libs/convert/variant.h"
#include "services/game/app/replays.h"
#include "services/game/domain/timers.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

pb::PlayerGameChange ChangeFor(const Game& game, const EventBody& last, Side side) {
  if (std::holds_alternative<Ended>(last)) return pb::PLAYER_GAME_CHANGE_ENDED;
  if (std::holds_alternative<Started>(last)) return pb::PLAYER_GAME_CHANGE_STARTED;
  if (std::holds_alternative<Paused>(last)) return pb::PLAYER_GAME_CHANGE_PAUSED;
  const Side other = Opponent(side);
  const bool offer = game.draws.open_by() == other || game.takebacks.open_by() == other ||
                     game.pauses.open_by() == other || game.impasse_proposed_by == other ||
                     (game.pause && game.pause->resume_wanted_by == other);
  if (offer) return pb::PLAYER_GAME_CHANGE_OFFER;
  return game.board.to_move == side ? pb::PLAYER_GAME_CHANGE_YOUR_MOVE
                                    : pb::PLAYER_GAME_CHANGE_OPPONENTS_MOVE;
}

// What both players' streams are told after `events` made `after`.
std::vector<PlayerChange> AnnouncementsOf(const Game& after, const std::vector<Event>& events) {
  std::vector<PlayerChange> changes;
  if (events.empty()) return changes;
  for (const Side side : {Side::kFirst, Side::kSecond}) {
    const Player& player = after.player(side);
    if (player.id.empty()) continue;
    pb::WatchPlayerGamesResponse news;
    news.set_game_id(after.id);
    news.set_change(ChangeFor(after, events.back().body, side));
    news.set_side(convert::ToProto(side));
    news.set_ply(after.ply());
    news.set_at_ms(ToUnixMillis(events.back().at));
    if (after.result) *news.mutable_result() = ToProto(*after.result);
    news.set_replayed_by(after.replayed_by);
    changes.push_back({player.id, news.SerializeAsString()});
  }
  return changes;
}

Marks MarksOf(const StoredGame& stored, std::optional<TimePoint> todo) {
  return {stored.progress, todo};
}

}  // namespace

Error TooMuchContention(const std::string& game_id) {
  return Error{kContention, "too many concurrent changes; retry", {{"game", game_id}}};
}

Task<GameAttempt> GameTable::Append(StoredGame stored, std::vector<Event> events) {
  StagedGame staged = GameStore::Stage(stored, events);
  StoredGame after = stored;
  after.game = staged.game;
  const TimePoint now = time_.Now();
  const Chore chore = ChoreOf(after, now);
  Marks marks = MarksOf(after, TodoAt(after, chore, now));
  std::vector<PlayerChange> announcements = AnnouncementsOf(*staged.game, events);
  GameAttempt committed = co_await store_.Append(std::move(stored), std::move(staged),
                                                 std::move(marks), std::move(announcements));
  if (committed.committed() && chore != Chore::kNone && follow_up_) follow_up_(*committed);
  co_return committed;
}

Task<GameAttempt> GameTable::Commit(StoredGame stored, Events events, TimePoint at) {
  std::vector<Event> stamped;
  stamped.reserve(events.size());
  for (EventBody& body : events) {
    NameReplay(*stored.game, &body);
    stamped.push_back({at, std::move(body)});
  }
  GameAttempt committed = co_await Append(std::move(stored), std::move(stamped));
  co_return committed;
}

Task<GameAttempt> GameTable::Mark(StoredGame stored) {
  std::vector<Event> no_events;
  GameAttempt committed = co_await Append(std::move(stored), std::move(no_events));
  co_return committed;
}

Task<void> GameTable::Postpone(StoredGame stored, TimePoint when) {
  Marks marks = MarksOf(stored, when);
  std::vector<PlayerChange> announcements;
  StagedGame unchanged{stored.game, {}};
  // A conflict or a failure is fine: the game stays due and is visited again.
  (void)co_await store_.Append(std::move(stored), std::move(unchanged), std::move(marks),
                               std::move(announcements));
}

Task<void> GameTable::FillEndClock(rpc::Call call, StoredGame stored, Events* events) {
  const Game& game = *stored.game;
  for (EventBody& body : *events) {
    Ended* ended = std::get_if<Ended>(&body);
    if (ended == nullptr || !game.time_control || ended->clock) continue;
    ended->clock = game.clock;
    if (ClockIsBehind(stored)) {  // it would show what no longer counts
      Status told = co_await TellClock(call, FreshGame(stored));
      if (!told) continue;
    }
    Result<timecontrol::Reading> reading = co_await clock_.Read(call, game.id);
    if (reading) ended->clock = *reading;
  }
}

Task<Result<StoredGame>> GameTable::Act(rpc::Call call, std::string game_id, std::string player_id,
                                        Decide decide) {
  return UntilCommitted(game_id, [this, call, game_id, player_id, decide](int attempt) {
    return TryAct(call, game_id, player_id, decide, /*cached_will_do=*/attempt == 0);
  });
}

Task<GameAttempt> GameTable::TryAct(rpc::Call call, std::string game_id, std::string player_id,
                                    Decide decide, bool cached_will_do) {
  Result<StoredGame> stored = co_await store_.Fetch(std::move(game_id), cached_will_do);
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, player_id);
  if (!side) co_return std::move(side).error();
  Result<Events> events = decide(*stored->game, *side);
  if (!events) {
    if (!stored->fresh) co_return livestore::LostRace{};
    co_return std::move(events).error();
  }
  if (events->empty()) co_return std::move(stored).value();
  if (ClockIsBehind(*stored) && !stored->fresh) co_return livestore::LostRace{};
  co_await FillEndClock(call, *stored, &*events);
  GameAttempt committed = co_await Commit(*stored, std::move(events).value(), call.received_at());
  co_return committed;
}

Task<Result<StoredGame>> GameTable::ActAlone(rpc::Call call, std::string game_id,
                                             DecideAlone decide) {
  return UntilCommitted(
      game_id, [this, call, game_id, decide](int) { return TryActAlone(call, game_id, decide); });
}

Task<GameAttempt> GameTable::TryActAlone(rpc::Call call, std::string game_id, DecideAlone decide) {
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored) co_return std::move(stored).error();
  const TimePoint now = time_.Now();
  Events events = decide(*stored->game, now);
  if (events.empty()) co_return std::move(stored).value();
  co_await FillEndClock(call, *stored, &events);
  GameAttempt committed = co_await Commit(*stored, std::move(events), now);
  co_return committed;
}

Task<Result<StoredGame>> GameTable::TimeOut(rpc::Call call, std::string game_id, int ply, Side side,
                                            TimePoint deadline) {
  return UntilCommitted(game_id, [this, call, game_id, ply, side, deadline](int) {
    return TryTimeOut(call, game_id, ply, side, deadline);
  });
}

Task<GameAttempt> GameTable::TryTimeOut(rpc::Call call, std::string game_id, int ply, Side side,
                                        TimePoint deadline) {
  Result<StoredGame> stored = co_await store_.Load(game_id);
  if (!stored) co_return std::move(stored).error();
  Events events = DecideTimeOut(*stored->game, ply, side);
  if (events.empty() || ClockIsBehind(*stored)) co_return std::move(stored).value();
  // Read after the game: a change of the game makes the commit fail, and this turn of the clock
  // takes none after its flag has fallen.
  Result<timecontrol::Reading> clock = co_await clock_.Read(call, std::move(game_id));
  if (!clock) co_return std::move(clock).error();
  const TimePoint now = time_.Now();
  if (clock->ply != ply || clock->deadline != deadline || now < deadline) {
    co_return std::move(stored).value();
  }
  for (EventBody& body : events) std::get<Ended>(body).clock = *clock;
  GameAttempt committed = co_await Commit(*stored, std::move(events), now);
  co_return committed;
}

Task<Status> GameTable::TellClock(rpc::Call call, FreshGame stored) {
  Status refused;
  const Game& game = *stored->game;
  for (const ClockOrder& order : game.clock_orders) {
    if (order.sequence <= stored->progress.clock_told) continue;
    Result<timecontrol::Reading> told = co_await Tell(call, game.id, order);
    if (!told && told.error().Is(kClockNotFound) && !game.over()) {
      told = co_await clock_.Start(call, game.id, *game.time_control, game.setup.moves_first,
                                   game.created_at);
      if (told) told = co_await Tell(call, game.id, order);
    }
    if (told) continue;
    if (IsTransient(told.error())) co_return std::move(told).error();
    if (refused) refused = std::move(told).error();
  }
  co_return refused;
}

void GameTable::SawClock(const StoredGame& stored, const timecontrol::Reading& reading) {
  const Millis ahead = ClockAheadFor(*stored.game, reading, time_.Now());
  if (ahead >= kRepairAfter && clock_ahead_) clock_ahead_(stored);
}

Task<Result<timecontrol::Reading>> GameTable::Tell(rpc::Call call, std::string game_id,
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

}  // namespace komadai::game
