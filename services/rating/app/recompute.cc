#include "services/rating/app/recompute.h"

#include <utility>
#include <vector>

namespace komadai::rating {
namespace {

constexpr std::int64_t kPage = 500;
constexpr Millis kPageDeadline{60'000};

using Report = std::function<void(const std::string&)>;

std::string NameOf(const StoredStanding& stored) {
  return "player " + stored.player_id + " in " + std::string(rules::VariantName(stored.variant));
}

Task<Status> CheckGames(RatingStore& store, const TimeSource& time, const Report& report,
                        Recomputed& sum) {
  std::string after;
  for (;;) {
    const Result<std::vector<RecordedGame>> page =
        co_await store.PageOfGames(after, kPage, time.Now() + kPageDeadline);
    if (!page) co_return page.error();
    if (page->empty()) co_return Status();
    for (const RecordedGame& game : *page) {
      ++sum.games;
      sum.changes += static_cast<std::int64_t>(game.changes.size());
      const std::string wrong = CheckGame(game);
      if (wrong.empty()) continue;
      ++sum.findings;
      report("game " + game.id + " " + wrong);
    }
    after = page->back().id;
  }
}

// Whether the history is sound.
bool CheckHistory(const StoredStanding& stored, HistoryFold& fold, const Report& report,
                  Recomputed& sum) {
  bool sound = true;
  for (const RatingChange& change : stored.history) {
    const std::string wrong = fold.Add(change);
    if (wrong.empty()) continue;
    sound = false;
    ++sum.findings;
    report("history of " + NameOf(stored) + ", game " + change.game_id + ": " + wrong);
  }
  return sound;
}

Task<Status> CheckStanding(RatingStore& store, const TimeSource& time, bool repair,
                           const Report& report, Recomputed& sum, const StoredStanding& stored) {
  ++sum.standings;
  HistoryFold fold;
  const bool sound = CheckHistory(stored, fold, report, sum);
  const Standing& folded = fold.standing();
  const bool right =
      stored.standing && *stored.standing == folded && stored.ranked == folded.ranked();
  if (right) co_return Status();
  ++sum.findings;
  report(NameOf(stored) + " has " +
         (stored.standing ? std::to_string(stored.standing->rating.milli_points) + " milli-points"
                          : std::string("no rating")) +
         ", the history comes to " + std::to_string(folded.rating.milli_points) + " in " +
         std::to_string(folded.games()) + " games");
  if (!repair || !sound) co_return Status();
  const Result<bool> changed =
      co_await store.Refold(stored.player_id, stored.variant, time.Now() + kPageDeadline);
  if (!changed) co_return changed.error();
  sum.repaired += *changed ? 1 : 0;
  co_return Status();
}

Task<Status> CheckStandings(RatingStore& store, const TimeSource& time, bool repair,
                            const Report& report, Recomputed& sum) {
  StandingCursor after;
  for (;;) {
    const Result<std::vector<StoredStanding>> page =
        co_await store.PageOfStandings(after, kPage, time.Now() + kPageDeadline);
    if (!page) co_return page.error();
    if (page->empty()) co_return Status();
    for (const StoredStanding& stored : *page) {
      Status checked = co_await CheckStanding(store, time, repair, report, sum, stored);
      if (!checked) co_return checked;
    }
    after.player_id = page->back().player_id;
    after.variant = rules::VariantName(page->back().variant);
  }
}

}  // namespace

Task<Result<Recomputed>> Recompute(RatingStore& store, const TimeSource& time, bool repair,
                                   std::function<void(const std::string&)> report) {
  Recomputed sum;
  Status games = co_await CheckGames(store, time, report, sum);
  if (!games) co_return std::move(games).error();
  Status standings = co_await CheckStandings(store, time, repair, report, sum);
  if (!standings) co_return std::move(standings).error();
  co_return sum;
}

}  // namespace komadai::rating
