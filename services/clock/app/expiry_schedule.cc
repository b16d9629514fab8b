#include "services/clock/app/expiry_schedule.h"

#include <algorithm>
#include <utility>

namespace komadai::clock {

bool ExpirySchedule::Own(const std::string& game_id, livestore::Version version,
                         std::optional<Expiry> expiry) {
  const MutexLock lock(mutex_);
  const auto known = by_game_.find(game_id);
  if (known != by_game_.end() && known->second->second.version > version) return false;
  EraseLocked(game_id);
  if (!expiry) return false;
  const TimePoint due = expiry->deadline + kPressGrace;
  return InsertLocked(due, {.expiry = *std::move(expiry), .version = version, .owned = true});
}

bool ExpirySchedule::Wants(const std::string& game_id, TimePoint deadline, TimePoint now) const {
  const MutexLock lock(mutex_);
  const auto announced = announced_.find(game_id);
  if (announced != announced_.end() && announced->second.deadline == deadline &&
      now < announced->second.at + kRepeatAfter) {
    return false;
  }
  const auto known = by_game_.find(game_id);
  return known == by_game_.end() || known->second->second.expiry.deadline != deadline;
}

bool ExpirySchedule::Adopt(livestore::Version version, const Expiry& expiry, TimePoint now) {
  const MutexLock lock(mutex_);
  const auto known = by_game_.find(expiry.game_id);
  if (known != by_game_.end() && known->second->second.version >= version) return false;
  EraseLocked(expiry.game_id);
  const TimePoint due = std::max(expiry.deadline + kPressGrace + kAdoptionGrace, now);
  return InsertLocked(due, {.expiry = expiry, .version = version, .owned = false});
}

bool ExpirySchedule::Announced(const Expiry& expiry, TimePoint now) {
  const MutexLock lock(mutex_);
  const auto timer = by_game_.find(expiry.game_id);
  if (timer != by_game_.end() && timer->second->second.expiry == expiry) {
    EraseLocked(expiry.game_id);
  }
  const auto [known, first] = announced_.try_emplace(expiry.game_id);
  const bool news = first || known->second.deadline != expiry.deadline;
  known->second = {.deadline = expiry.deadline, .at = now};
  return news;
}

std::vector<DueExpiry> ExpirySchedule::TakeDue(TimePoint now, std::size_t limit) {
  const MutexLock lock(mutex_);
  std::vector<DueExpiry> due;
  while (!queue_.empty() && queue_.begin()->first <= now && due.size() < limit) {
    by_game_.erase(queue_.begin()->second.expiry.game_id);
    due.push_back(std::move(queue_.begin()->second));
    queue_.erase(queue_.begin());
  }
  return due;
}

std::optional<TimePoint> ExpirySchedule::NextDue() const {
  const MutexLock lock(mutex_);
  if (queue_.empty()) return std::nullopt;
  return queue_.begin()->first;
}

void ExpirySchedule::ForgetOldAnnouncements(TimePoint now) {
  const MutexLock lock(mutex_);
  // Twice as long as they matter: a late repeat must still be seen to be one.
  std::erase_if(announced_, [now](const auto& entry) {
    return entry.second.at + 2 * kRepeatAfter + kRepeatAfter / 2 < now;
  });
}

std::size_t ExpirySchedule::timers() const {
  const MutexLock lock(mutex_);
  return queue_.size();
}

void ExpirySchedule::EraseLocked(const std::string& game_id) {
  const auto known = by_game_.find(game_id);
  if (known == by_game_.end()) return;
  queue_.erase(known->second);
  by_game_.erase(known);
}

bool ExpirySchedule::InsertLocked(TimePoint due, DueExpiry expiry) {
  if (queue_.size() >= kMaxTimers) return false;
  const bool nearer = queue_.empty() || due < queue_.begin()->first;
  std::string game_id = expiry.expiry.game_id;
  by_game_.emplace(std::move(game_id), queue_.emplace(due, std::move(expiry)));
  return nearer;
}

}  // namespace komadai::clock
