// Presence: which players this replica has a stream open for, told to all replicas by the store.
//
// A player counts as present for a lease that is renewed as long as a stream is open, and until the
// last one here closes. A replica that does not know of another's stream may end a lease too early;
// the other's next renewal mends that, sooner than any claim is allowed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/base/attendance.h"
#include "libs/base/task.h"
#include "libs/base/task_group.h"
#include "libs/base/time.h"
#include "services/game/store/presence_store.h"

namespace komadai::game {

// Thread-safe.
class Presence {
 public:
  static constexpr Millis kRenewal{10'000};
  static constexpr Millis kLease{20'000};

  Presence(livestore::LiveStore& store, const TimeSource& time);

  // The player is present as long as somebody holds what this returns, which must not outlive this.
  std::shared_ptr<void> Enter(const std::string& player_id) { return here_.Enter(player_id); }
  // Renews every lease; to be called every kRenewal.
  Task<void> Renew();
  // How many players are present.
  std::size_t size() const { return here_.size(); }
  // Waits for what is being written. Nothing is written any more.
  void Stop() { writing_.Stop(); }

 private:
  Task<void> Write(std::vector<std::string> player_ids, TimePoint until);

  PresenceStore store_;
  const TimeSource& time_;
  TaskGroup writing_;
  Attendance here_;
};

}  // namespace komadai::game
