#include "services/matchmaking/watch/seek_watchers.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace komadai::matchmaking {

void SeekWatchers::Add(std::shared_ptr<SeekWatcher> watcher) {
  const MutexLock lock(mutex_);
  watchers_.push_back(watcher);
}

std::vector<std::shared_ptr<SeekWatcher>> SeekWatchers::Present() {
  std::vector<std::shared_ptr<SeekWatcher>> present;
  const MutexLock lock(mutex_);
  std::erase_if(watchers_, [&present](const std::weak_ptr<SeekWatcher>& weak) {
    std::shared_ptr<SeekWatcher> watcher = weak.lock();
    if (watcher == nullptr || watcher->Ended()) return true;
    present.push_back(std::move(watcher));
    return false;
  });
  return present;
}

Task<void> SeekWatchers::Touch() {
  std::vector<std::string> seek_ids;
  std::unordered_map<std::string, int> seen;  // one seek may be watched twice
  for (const std::shared_ptr<SeekWatcher>& watcher : Present()) {
    if (seen[watcher->seek_id()]++ == 0) seek_ids.push_back(watcher->seek_id());
  }
  (void)co_await desk_.Touch(std::move(seek_ids));
}

Task<void> SeekWatchers::Tell() {
  const std::vector<std::shared_ptr<SeekWatcher>> watchers = Present();
  if (watchers.empty()) co_return;
  Result<std::vector<std::shared_ptr<Waiter>>> waiters = co_await room_.Look();
  if (!waiters) co_return;
  const TimePoint now = time_.Now();
  std::map<std::string, int> sizes;
  std::unordered_map<std::string, std::pair<Standing, std::string>> standings;  // and their kinds
  for (const std::shared_ptr<Waiter>& waiter : *waiters) {
    Standing standing;
    standing.position = ++sizes[waiter->kind];
    standing.rating_window = RatingWindow(waiter->seeker, now).value_or(0);
    standings[waiter->seeker.seek_id] = {standing, waiter->kind};
  }
  std::map<std::string, std::int64_t> paces;
  for (const std::shared_ptr<SeekWatcher>& watcher : watchers) {
    const auto found = standings.find(watcher->seek_id());
    if (found == standings.end()) continue;  // does not wait
    auto& [standing, kind] = found->second;
    const auto [pace, is_new] = paces.try_emplace(kind, 0);
    if (is_new) {
      Result<std::int64_t> known = co_await store_.AverageWait(kind);
      pace->second = known.value_or(0);
    }
    standing.waiting = sizes[kind];
    standing.estimated_wait_ms = pace->second;
    watcher->Tell(standing);
  }
}

}  // namespace komadai::matchmaking
