// AttendanceStore: how many players each replica has streams open for, so that the total of all
// replicas can be shown.
#pragma once

#include <string>

#include "libs/base/time.h"
#include "services/matchmaking/store/entries.h"

namespace komadai::matchmaking {

class AttendanceStore {
 public:
  explicit AttendanceStore(livestore::LiveStore& store) : store_(store) {}

  // What one replica counts. It expires at `until`; the replica reports again before that.
  Task<Status> Report(std::string replica, int players, TimePoint until);
  // The sum of the reports that hold at `now`. Forgets replicas whose report has expired.
  Task<Result<int>> Total(TimePoint now);

 private:
  livestore::LiveStore& store_;
};

}  // namespace komadai::matchmaking
