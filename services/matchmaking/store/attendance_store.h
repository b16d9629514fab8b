// AttendanceStore: how many players each replica has streams open for, so that one number can be
// told of all of them.
#pragma once

#include <string>

#include "libs/base/time.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

class AttendanceStore {
 public:
  explicit AttendanceStore(livestore::LiveStore& store) : store_(store) {}

  // What one replica says, good until `until`; says it again in time.
  Task<Status> Report(std::string replica, int players, TimePoint until);
  // The sum of what holds at `now`. Forgets replicas that have not reported for long.
  Task<Result<int>> Total(TimePoint now);

 private:
  livestore::LiveStore& store_;
};

}  // namespace komadai::matchmaking
