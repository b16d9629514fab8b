#include "tests/attack/attacks.h"

#include <iterator>

#include "tests/attack/call_attacks.h"
#include "tests/attack/connection_attacks.h"

namespace komadai::attack {

const std::vector<Attack>& AllAttacks() {
  static const auto& all = *new std::vector<Attack>([] {
    std::vector<Attack> attacks = ConnectionAttacks();
    std::vector<Attack> calls = CallAttacks();
    attacks.insert(attacks.end(), std::make_move_iterator(calls.begin()),
                   std::make_move_iterator(calls.end()));
    return attacks;
  }());
  return all;
}

}  // namespace komadai::attack
