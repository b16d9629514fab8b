#include "libs/rules/perft.h"

#include "libs/base/check.h"
#include "libs/rules/game.h"

namespace komadai::rules {

std::uint64_t Perft(const Position& position, int depth) {
  KOMADAI_CHECK(depth >= 0);
  return position.game().Perft(position.state(), depth);
}

}  // namespace komadai::rules
