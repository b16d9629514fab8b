#include "libs/convert/game_options.h"

namespace komadai::convert {
namespace {

bool ZeroOrBetween(std::int64_t value, Millis min, Millis max) {
  return value == 0 || (value >= min.count() && value <= max.count());
}

}  // namespace

std::optional<OptionProblem> CheckOptions(const pb::GameOptions& options) {
  if (!ZeroOrBetween(options.first_move_ms(), kMinFirstMove, kMaxFirstMove)) {
    return OptionProblem{"options.first_move_ms", "must be 0 or between 10000 and 3600000"};
  }
  if (!ZeroOrBetween(options.claim_after_ms(), kMinClaimAfter, kMaxClaimAfter)) {
    return OptionProblem{"options.claim_after_ms", "must be 0 or between 15000 and 604800000"};
  }
  return std::nullopt;
}

bool AreDefault(const pb::GameOptions& options) {
  return !options.has_first_move_ms() && options.claim_after_ms() == 0;
}

}  // namespace komadai::convert
