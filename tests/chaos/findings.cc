#include "tests/chaos/findings.h"

#include <algorithm>

namespace komadai::chaos {

const char* NameOf(Promise promise) {
  switch (promise) {
    case Promise::kMoves:
      return "moves";
    case Promise::kEnds:
      return "ends";
    case Promise::kArchive:
      return "archive";
    case Promise::kRatings:
      return "ratings";
    case Promise::kWatching:
      return "watching";
    case Promise::kFlags:
      return "flags";
    case Promise::kAnswers:
      return "answers";
    case Promise::kProcesses:
      return "processes";
  }
  return "";
}

std::int64_t Findings::ViolationsOf(Promise promise) const {
  return std::count_if(violations.begin(), violations.end(),
                       [promise](const Violation& v) { return v.promise == promise; });
}

}  // namespace komadai::chaos
