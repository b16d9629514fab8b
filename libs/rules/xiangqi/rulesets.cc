#include "libs/rules/xiangqi/rulesets.h"

namespace komadai::rules::xiangqi {

std::span<const Ruleset> Rulesets() {
  static const Ruleset rulesets[] = {
      // Repetition as the AXF judges it; 60 moves of each side without a capture.
      {.variant = Variant::kXiangqi,
       .repetition_count = 3,
       .perpetual_chase_loses = true,
       .quiet_ply_limit = 120,
       .insufficient_material_draws = true},
  };
  return rulesets;
}

}  // namespace komadai::rules::xiangqi
