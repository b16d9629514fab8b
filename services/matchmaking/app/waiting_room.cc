#include "services/matchmaking/app/waiting_room.h"

#include <utility>

namespace komadai::matchmaking {

Task<Result<std::vector<std::shared_ptr<Waiter>>>> WaitingRoom::Look() {
  Result<std::vector<WaitingSeek>> waiting = co_await store_.Waiting();
  if (!waiting) co_return std::move(waiting).error();
  std::vector<std::string> unknown;
  for (const WaitingSeek& seek : *waiting) {
    const auto found = known_.find(seek.seek_id);
    if (found == known_.end() || found->second->stale) unknown.push_back(seek.seek_id);
  }
  std::unordered_map<std::string, std::shared_ptr<Waiter>> fresh;
  Result<std::vector<SeekEntry>> loaded = co_await store_.LoadAll(unknown);
  if (!loaded) co_return std::move(loaded).error();
  for (std::size_t i = 0; i < unknown.size(); ++i) {
    SeekEntry& entry = (*loaded)[i];
    if (!IsWaiting(entry) || entry.value.pools().empty()) continue;
    auto waiter = std::make_shared<Waiter>();
    waiter->seeker = SeekerOf(entry.value);
    waiter->kind = KindOf(entry.value.seek().terms());
    waiter->entry = std::move(entry);
    fresh[unknown[i]] = std::move(waiter);
  }
  std::unordered_map<std::string, std::shared_ptr<Waiter>> now;
  std::vector<std::shared_ptr<Waiter>> all;
  for (const WaitingSeek& seek : *waiting) {
    auto found = fresh.find(seek.seek_id);
    if (found == fresh.end()) {
      found = known_.find(seek.seek_id);
      if (found == known_.end() || found->second->stale) continue;
    }
    all.push_back(found->second);
    now[seek.seek_id] = found->second;
  }
  known_ = std::move(now);  // who waits no longer is forgotten
  co_return all;
}

}  // namespace komadai::matchmaking
