// Attacks by many calls, most of them correct: of nobody and of guests.
#pragma once

#include <vector>

#include "tests/attack/attacks.h"

namespace komadai::attack {

std::vector<Attack> CallAttacks();

}  // namespace komadai::attack
