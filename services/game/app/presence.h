// Presence: which players this replica has a stream open for, told to all replicas by the store.
//
// A player counts as present for a lease that is renewed as long as a stream is open, and until the
// last one here closes. A replica that does not know of another's stream may end a lease too early;
// the other's next renewal mends that, sooner than any claim is allowed.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

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

  Presence(livestore::LiveStore& store, const TimeSource& time) : store_(store), time_(time) {}

  // The player is here as long as somebody holds what this returns, which must not outlive this.
  std::shared_ptr<void> Enter(const std::string& player_id);
  // Renews every lease; to be called every kRenewal.
  Task<void> Renew();
  // How many players are here.
  std::size_t size() const;
  // Waits for what is being written. Nothing is written any more.
  void Stop() { writing_.Stop(); }

 private:
  void Leave(const std::string& player_id);
  Task<void> Write(std::vector<std::string> player_ids, TimePoint until);

  PresenceStore store_;
  const TimeSource& time_;
  mutable std::mutex mutex_;
  std::unordered_map<std::string, int> streams_;
  TaskGroup writing_;
};

}  // namespace komadai::game
