// Attacks by the way a client uses TCP and HTTP/2. Nobody needs a token for them.
#pragma once

#include <vector>

#include "tests/attack/attacks.h"

namespace komadai::attack {

std::vector<Attack> ConnectionAttacks();

}  // namespace komadai::attack
