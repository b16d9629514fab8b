#include "services/game/app/committer.h"

#include <utility>

#include "services/game/app/announcements.h"
#include "services/game/app/chores.h"
#include "services/game/app/replays.h"
#include "services/game/errors.h"

namespace komadai::game {
namespace {

Marks MarksOf(const StoredGame& stored, std::optional<TimePoint> todo) {
  return {stored.progress, todo};
}

}  // namespace

Error TooMuchContention(const std::string& game_id) {
  return Error{kContention, "too many concurrent changes; retry", {{"game", game_id}}};
}

Task<GameAttempt> Committer::Append(StoredGame stored, std::vector<Event> events) {
  StagedGame staged = GameStore::Stage(stored, events);
  StoredGame after = stored;
  after.game = staged.game;
  const TimePoint now = time_.Now();
  const Chore chore = ChoreOf(after, now);
  Marks marks = MarksOf(after, TodoAt(after, chore, now));
  std::vector<PlayerChange> announcements = AnnouncementsOf(*staged.game, events);
  GameAttempt committed = co_await store_.Append(std::move(stored), std::move(staged),
                                                 std::move(marks), std::move(announcements));
  if (committed.committed() && chore != Chore::kNone) follow_up_(*committed);
  co_return committed;
}

Task<GameAttempt> Committer::Commit(StoredGame stored, Events events, TimePoint at) {
  std::vector<Event> stamped;
  stamped.reserve(events.size());
  for (EventBody& body : events) {
    NameReplay(*stored.game, &body);
    stamped.push_back({at, std::move(body)});
  }
  GameAttempt committed = co_await Append(std::move(stored), std::move(stamped));
  co_return committed;
}

Task<GameAttempt> Committer::Mark(StoredGame stored) {
  std::vector<Event> no_events;
  GameAttempt committed = co_await Append(std::move(stored), std::move(no_events));
  co_return committed;
}

Task<void> Committer::Postpone(StoredGame stored, TimePoint when) {
  Marks marks = MarksOf(stored, when);
  std::vector<PlayerChange> announcements;
  StagedGame unchanged{stored.game, {}};
  // A conflict or a failure is fine: the game stays due and is visited again.
  (void)co_await store_.Append(std::move(stored), std::move(unchanged), std::move(marks),
                               std::move(announcements));
}

Task<void> Committer::FillEndClock(rpc::Call call, StoredGame stored, Events* events) {
  for (EventBody& body : *events) {
    Ended* ended = std::get_if<Ended>(&body);
    if (ended == nullptr || !stored.game->time_control || ended->clock) continue;
    ended->clock = co_await clock_.ReadAtEnd(call, stored);
  }
}

Task<Result<StoredGame>> Committer::Act(PlayerAction action, Decide decide) {
  const std::string game_id = action.game_id;
  return UntilCommitted(game_id, [this, action = std::move(action), decide](int attempt) {
    return TryAct(action, decide, /*cached_will_do=*/attempt == 0);
  });
}

Task<GameAttempt> Committer::TryAct(PlayerAction action, Decide decide, bool cached_will_do) {
  const rpc::Call& call = action.call;
  Result<StoredGame> stored = co_await store_.Fetch(action.game_id, cached_will_do);
  if (!stored) co_return std::move(stored).error();
  Result<Side> side = SideOf(*stored->game, action.player_id);
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

Task<Result<StoredGame>> Committer::ActAlone(rpc::Call call, std::string game_id,
                                             DecideAlone decide) {
  return UntilCommitted(
      game_id, [this, call, game_id, decide](int) { return TryActAlone(call, game_id, decide); });
}

Task<GameAttempt> Committer::TryActAlone(rpc::Call call, std::string game_id, DecideAlone decide) {
  Result<StoredGame> stored = co_await store_.Load(std::move(game_id));
  if (!stored) co_return std::move(stored).error();
  const TimePoint now = time_.Now();
  Events events = decide(*stored->game, now);
  if (events.empty()) co_return std::move(stored).value();
  co_await FillEndClock(call, *stored, &events);
  GameAttempt committed = co_await Commit(*stored, std::move(events), now);
  co_return committed;
}

}  // namespace komadai::game
