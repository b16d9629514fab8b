#include "services/engine/domain/time_budget.h"

#include <algorithm>
#include <utility>

namespace komadai::engine {

namespace {
constexpr int kMovesToPlan = 40;
}  // namespace

Millis UsableTime(Millis available) {
  const Millis usable = available > 2 * kMoveOverhead ? available - kMoveOverhead : available / 2;
  return std::max(usable, Millis(1));
}

Millis ShareOfClock(const SideTime& own) {
  const Millis comes_back = own.byoyomi + own.increment + own.delay;
  const Millis share = own.main_left / kMovesToPlan + comes_back * 3 / 4;
  return std::clamp(share, Millis(1), UsableTime(own.Available()));
}

bool LeavesTimeToEngine(const Limits& limits, const std::optional<Clocks>& clocks) {
  return clocks && !limits.nodes && !limits.depth;
}

Clocks AfterWaiting(Clocks clocks, rules::Side mover, Millis waited) {
  SideTime& own = clocks[static_cast<std::size_t>(rules::Index(mover))];
  for (Millis SideTime::*part : {&SideTime::delay, &SideTime::main_left, &SideTime::byoyomi}) {
    const Millis used = std::min(own.*part, waited);
    own.*part -= used;
    waited -= used;
  }
  return clocks;
}

SearchRequest Bounded(SearchRequest request, Millis waited, Millis cap) {
  Millis longest = std::min(request.limits.time.value_or(cap), cap);
  if (request.clocks) {
    const rules::Side mover = request.game.side_to_move;
    request.clocks = AfterWaiting(*request.clocks, mover, waited);
    const SideTime& own = (*request.clocks)[static_cast<std::size_t>(rules::Index(mover))];
    if (LeavesTimeToEngine(request.limits, request.clocks)) {
      longest = std::min(longest, UsableTime(own.Available()));
    } else {
      longest = std::min(longest, ShareOfClock(own));
      request.clocks.reset();
    }
  }
  request.limits.time = std::max(longest, Millis(1));
  return request;
}

}  // namespace komadai::engine
