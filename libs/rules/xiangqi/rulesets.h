// What xiangqi is played under.
#pragma once

#include <span>

#include "libs/rules/ruleset.h"

namespace komadai::rules::xiangqi {

std::span<const Ruleset> Rulesets();

}  // namespace komadai::rules::xiangqi
