#include "services/rules/convert.h"

#include <algorithm>
#include <map>

#include "libs/convert/result.h"
#include "libs/convert/variant.h"
#include "libs/rpc/error.h"

namespace komadai::rules_service {
namespace {

// Limits further away are not worth a warning.
constexpr int kNear = 100;

int PliesUntilLimit(const rules::GameState& state) {
  const rules::Ruleset& ruleset = state.ruleset();
  int left = kNear + 1;
  if (ruleset.ply_limit > 0) left = std::min(left, ruleset.ply_limit - state.ply());
  if (ruleset.quiet_ply_limit > 0) {
    left = std::min(left, ruleset.quiet_ply_limit - state.position().quiet_plies());
  }
  return left > kNear ? 0 : std::max(left, 0);
}

}  // namespace

pb::GameState StateToProto(const rules::GameState& state) {
  pb::GameState out;
  out.set_ply(state.ply());
  out.set_side_to_move(convert::ToProto(state.position().side_to_move()));
  out.set_check(state.position().InCheck());
  if (state.verdict().over()) {
    *out.mutable_result() = convert::ToProto(state.verdict(), state.ruleset(), state.ply());
  }
  const rules::RepetitionInfo repetition = state.Repetition();
  out.set_occurrences(repetition.occurrences);
  const bool last_but_one = repetition.limit > 0 && repetition.occurrences == repetition.limit - 1;
  if (last_but_one && repetition.if_repeated.over()) {
    *out.mutable_result_if_repeated() =
        convert::ToProto(repetition.if_repeated, state.ruleset(), state.ply());
  }
  out.set_plies_until_limit(state.verdict().over() ? 0 : PliesUntilLimit(state));
  return out;
}

Error InField(const Error& error, std::string field) {
  std::map<std::string, std::string> metadata = error.metadata();
  metadata.emplace(rpc::kField, std::move(field));
  return Error::FromWire(error.code(), error.reason(), error.message(), std::move(metadata));
}

}  // namespace komadai::rules_service
