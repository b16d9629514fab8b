// What shogi and minishogi are played under, the default first.
#pragma once

#include <span>

#include "libs/rules/ruleset.h"
#include "libs/rules/shogi/geometry.h"

namespace komadai::rules::shogi {

template <class G>
std::span<const Ruleset> Rulesets();
template <>
std::span<const Ruleset> Rulesets<Nine>();
template <>
std::span<const Ruleset> Rulesets<Five>();

}  // namespace komadai::rules::shogi
