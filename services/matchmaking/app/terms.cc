#include "services/matchmaking/app/terms.h"

#include <utility>

#include "libs/convert/game_options.h"
#include "libs/convert/game_setup.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {

Result<common_pb::TimeControl> NormaliseControl(const common_pb::TimeControl& control) {
  Result<timecontrol::TimeControl> valid = convert::TimeControlFromProto(control);
  if (!valid) return std::move(valid).error();
  if (!timecontrol::HasClock(valid->first) || !timecontrol::HasClock(valid->second)) {
    return rpc::InvalidField(kInvalidTerms, "terms.time_control", "gives a side no clock");
  }
  return convert::ToProto(*valid);
}

Result<pb::GameTerms> NormaliseTerms(const pb::GameTerms& terms, bool challenge) {
  if (!challenge && !terms.setup().position().empty()) {
    return rpc::InvalidField(kInvalidTerms, "terms.setup.position",
                             "a free start position is for challenges only");
  }
  if (terms.rated() && !terms.setup().position().empty()) {
    return rpc::InvalidField(kInvalidTerms, "terms.rated",
                             "a game from a free position is not rated");
  }
  if (!terms.has_time_control() && (!challenge || terms.rated())) {
    return rpc::InvalidField(kInvalidTerms, "terms.time_control",
                             "only casual challenges go without a clock");
  }
  if (terms.rated() && terms.allow_takeback()) {
    return rpc::InvalidField(kInvalidTerms, "terms.allow_takeback",
                             "rated games have no takebacks");
  }
  if (const auto problem = convert::CheckOptions(terms.options())) {
    return rpc::InvalidField(kInvalidTerms, std::string("terms.") + problem->field,
                             problem->message);
  }
  Result<convert::GameStart> start = convert::StartFromProto(terms.setup());
  if (!start) return std::move(start).error();
  pb::GameTerms normal;
  *normal.mutable_setup() = start->setup;
  normal.set_rated(terms.rated());
  normal.set_allow_takeback(terms.allow_takeback());
  if (!convert::AreDefault(terms.options())) *normal.mutable_options() = terms.options();
  if (terms.has_time_control()) {
    Result<common_pb::TimeControl> control = NormaliseControl(terms.time_control());
    if (!control) return std::move(control).error();
    *normal.mutable_time_control() = *std::move(control);
  }
  return normal;
}

std::string PoolOf(const pb::GameTerms& terms, const common_pb::TimeControl& control) {
  // Normal forms without maps serialise the same for the same content, in one version of the
  // program; during a rolling update the old and the new form are at worst two pools.
  pb::GameTerms key;
  *key.mutable_setup() = terms.setup();
  key.set_rated(terms.rated());
  key.set_allow_takeback(terms.allow_takeback());
  if (terms.has_options()) *key.mutable_options() = terms.options();
  *key.mutable_time_control() = control;
  return key.SerializeAsString();
}

}  // namespace komadai::matchmaking
