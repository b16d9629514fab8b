#include "libs/rules/verdict.h"

#include "libs/base/check.h"

namespace komadai::rules {

std::string_view NameOf(Ending ending) {
  constexpr std::string_view kNames[kEndingCount] = {
      "ONGOING",          "CHECKMATE",        "NO_LEGAL_MOVE",
      "REPETITION_DRAW",  "REPETITION_LOSS",  "PERPETUAL_CHECK",
      "PERPETUAL_CHASE",  "NO_CAPTURE_DRAW",  "INSUFFICIENT_MATERIAL",
      "PLY_LIMIT_DRAW",   "PLY_LIMIT_POINTS", "DECLARATION_WIN",
      "DECLARATION_LOSS", "DECLARATION_DRAW", "ILLEGAL_MOVE",
  };
  const auto i = static_cast<std::size_t>(ending);
  KOMADAI_CHECK(i < kEndingCount);
  return kNames[i];
}

}  // namespace komadai::rules
