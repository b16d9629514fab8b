#include "services/game/app/game_table.h"

#include <utility>

#include "libs/convert/variant.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

// How long the immediate follow-up of a commit has before the sweep takes over.
constexpr Millis kFollowUpGrace{2000};
// The same for a computer's move, which includes thinking.
constexpr Millis kComputerGrace{30000};

std::optional<TimePoint> TodoAt(Chore chore, TimePoint now) {
  switch (chore) {
    case Chore::kNone:
      return std::nullopt;
    case Chore::kStart:
    case Chore::kFinish:
      return now + kFollowUpGrace;
    case Chore::kComputer:
      return now + kComputerGrace;
  }
  return std::nullopt;
}

pb::PlayerGameChange ChangeFor(const Game& game, const EventBody& last, Side side) {
  if (std::holds_alternative<Ended>(last)) return pb::PLAYER_GAME_CHANGE_ENDED;
  if (std::holds_alternative<Started>(last)) return pb::PLAYER_GAME_CHANGE_STARTED;
  const bool offer = (game.draw_offered_by && *game.draw_offered_by != side) ||
                     (game.takeback_requested_by && *game.takeback_requested_by != side);
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
    changes.push_back({player.id, news.SerializeAsString()});
  }
  return changes;
}

}  // namespace

Chore ChoreOf(const Game& game, bool started, bool archived) {
  if (game.over()) return archived ? Chore::kNone : Chore::kFinish;
  if (!started) return Chore::kStart;
  const bool computer = game.player(game.board.to_move).kind == PlayerKind::kComputer;
  return computer ? Chore::kComputer : Chore::kNone;
}

bool ShouldRetry(const StoredGame& stored, const Error& error) {
  return !stored.fresh || error.Is(livestore::kInDoubt);
}

Error TooMuchContention(const std::string& game_id) {
  return Error{kContention, "the game changes too fast; try again", {{"game", game_id}}};
}

Task<Result<StoredGame>> GameTable::Append(StoredGame stored, std::vector<Event> events,
                                           bool started, bool archived) {
  StagedGame staged = GameStore::Stage(stored, events);
  const Chore chore = ChoreOf(*staged.game, started, archived);
  Marks marks{started, archived, TodoAt(chore, time_.Now())};
  std::vector<PlayerChange> announcements = AnnouncementsOf(*staged.game, events);
  Result<StoredGame> committed = co_await store_.Append(std::move(stored), std::move(staged),
                                                        std::move(marks), std::move(announcements));
  if (committed && *committed && chore != Chore::kNone && follow_up_) follow_up_(*committed);
  co_return committed;
}

Task<Result<StoredGame>> GameTable::Commit(StoredGame stored, Events events, TimePoint at) {
  std::vector<Event> stamped;
  stamped.reserve(events.size());
  for (EventBody& body : events) stamped.push_back({at, std::move(body)});
  const bool started = stored.started;
  const bool archived = stored.archived;
  Result<StoredGame> committed =
      co_await Append(std::move(stored), std::move(stamped), started, archived);
  co_return committed;
}

Task<Result<StoredGame>> GameTable::Mark(StoredGame stored, bool started, bool archived) {
  std::vector<Event> no_events;
  Result<StoredGame> committed =
      co_await Append(std::move(stored), std::move(no_events), started, archived);
  co_return committed;
}

Task<void> GameTable::Postpone(StoredGame stored, TimePoint when) {
  Marks marks{stored.started, stored.archived, when};
  std::vector<PlayerChange> announcements;
  StagedGame unchanged{stored.game, {}};
  // A conflict or a failure is fine: the game stays due and is visited again.
  (void)co_await store_.Append(std::move(stored), std::move(unchanged), std::move(marks),
                               std::move(announcements));
}

Task<void> GameTable::FillEndClock(rpc::Call call, std::shared_ptr<const Game> game,
                                   Events* events) {
  for (EventBody& body : *events) {
    Ended* ended = std::get_if<Ended>(&body);
    if (ended == nullptr || !game->time_control || ended->clock) continue;
    Result<timecontrol::Reading> reading = co_await clock_.Read(call, game->id);
    ended->clock = reading ? std::optional(*reading) : game->clock;
  }
}

Task<Result<StoredGame>> GameTable::Act(rpc::Call call, std::string game_id, std::string player_id,
                                        Decide decide) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<StoredGame> stored = co_await store_.Fetch(game_id, attempt == 0);
    if (!stored) co_return std::move(stored).error();
    Result<Side> side = SideOf(*stored->game, player_id);
    if (!side) co_return std::move(side).error();
    Result<Events> events = decide(*stored->game, *side);
    if (!events) {
      if (ShouldRetry(*stored, events.error())) continue;
      co_return std::move(events).error();
    }
    if (events->empty()) co_return stored;
    co_await FillEndClock(call, stored->game, &*events);
    Result<StoredGame> committed =
        co_await Commit(*stored, std::move(events).value(), call.received_at());
    if (committed && *committed) co_return committed;
    if (!committed && !committed.error().Is(livestore::kInDoubt)) co_return committed;
  }
  co_return TooMuchContention(game_id);
}

Task<Result<StoredGame>> GameTable::TimeOut(rpc::Call call, std::string game_id, int ply,
                                            Side side) {
  for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
    Result<StoredGame> stored = co_await store_.Load(game_id);
    if (!stored) co_return std::move(stored).error();
    Events events = DecideTimeOut(*stored->game, ply, side);
    if (events.empty()) co_return stored;
    co_await FillEndClock(call, stored->game, &events);
    Result<StoredGame> committed = co_await Commit(*stored, std::move(events), time_.Now());
    if (committed && *committed) co_return committed;
    if (!committed && !committed.error().Is(livestore::kInDoubt)) co_return committed;
  }
  co_return TooMuchContention(game_id);
}

}  // namespace komadai::game
