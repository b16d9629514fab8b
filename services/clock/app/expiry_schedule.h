// ExpirySchedule: which deadlines this process will announce, and when. No I/O and no clock of its
// own.
//
// A process owns the clocks it changed last, as far as it knows, and is due a moment after their
// deadlines: a move that was received just before one is still on its way to its clock. Clocks that
// the sweep finds are adopted: due a little later, so that the owner, if there still is one, comes
// first. What any replica announced is left alone for a second, then the sweep may adopt it
// again: that is how an announcement repeats until the clock changes.
//
// Thread-safe. Bounded: timers are at most kMaxTimers (the sweep looks after the rest), memories of
// announcements are forgotten after kRepeatAfter.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/livestore/live_store.h"
#include "services/clock/domain/live_clock.h"

namespace komadai::clock {

struct DueExpiry {
  Expiry expiry;
  livestore::Version version = livestore::kAbsent;  // of the clock it was read from
  bool owned = false;
};

class ExpirySchedule {
 public:
  static constexpr std::size_t kMaxTimers = 500'000;
  static constexpr Millis kPressGrace{20};     // after the deadline
  static constexpr Millis kAdoptionGrace{30};  // after that
  static constexpr Millis kRepeatAfter{1000};

  // The clock has been changed by this process. nullopt: it runs against no deadline any more.
  // Older versions than the known one are ignored. Returns whether NextDue() may have come nearer.
  bool Own(const std::string& game_id, livestore::Version version, std::optional<Expiry> expiry);

  // Whether the sweep should read this clock, which the index says has this deadline.
  bool Wants(const std::string& game_id, TimePoint deadline, TimePoint now) const;
  // Returns the same as Own().
  bool Adopt(livestore::Version version, const Expiry& expiry, TimePoint now);

  // A replica has announced it; its timer here, if any, is done. Returns whether this was the first
  // announcement that this process knows of.
  bool Announced(const Expiry& expiry, TimePoint now);

  // Removes and returns what is due, the earliest deadline first.
  std::vector<DueExpiry> TakeDue(TimePoint now, std::size_t limit);
  std::optional<TimePoint> NextDue() const;
  void ForgetOldAnnouncements(TimePoint now);

  std::size_t timers() const;

 private:
  using Queue = std::multimap<TimePoint, DueExpiry>;
  struct Announcement {
    TimePoint deadline;
    TimePoint at;
  };

  void EraseLocked(const std::string& game_id) KOMADAI_REQUIRES(mutex_);
  bool InsertLocked(TimePoint due, DueExpiry expiry) KOMADAI_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Queue queue_ KOMADAI_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Queue::iterator> by_game_ KOMADAI_GUARDED_BY(mutex_);
  std::unordered_map<std::string, Announcement> announced_ KOMADAI_GUARDED_BY(mutex_);
};

}  // namespace komadai::clock
