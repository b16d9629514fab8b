#include "tests/simulation/trace.h"

#include <cstdio>

namespace komadai::simulation {

void Trace::Add(Millis elapsed, std::string_view actor, const std::string& what) {
  if (!on()) return;
  char head[64];
  std::snprintf(head, sizeof(head), "%8lld ms  %-8.*s  ", static_cast<long long>(elapsed.count()),
                static_cast<int>(actor.size()), actor.data());
  lines_.push_back(head + what);
  if (lines_.size() > limit_) lines_.pop_front();
}

}  // namespace komadai::simulation
