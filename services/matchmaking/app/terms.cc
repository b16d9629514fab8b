#include "services/matchmaking/app/terms.h"

#include <cstdint>
#include <string_view>
#include <utility>

#include "libs/convert/game_options.h"
#include "libs/convert/game_setup.h"
#include "libs/convert/time_control.h"
#include "libs/rpc/error.h"
#include "services/matchmaking/errors.h"

namespace komadai::matchmaking {
namespace {

Status CheckSuggestion(const pb::GameTerms& terms, bool challenge) {
  if (!terms.suggest_handicap()) return {};
  const bool fits =
      !challenge && terms.setup().variant() == common_pb::VARIANT_SHOGI && !HasHandicap(terms);
  if (fits) return {};
  return rpc::InvalidField(kInvalidTerms, "terms.suggest_handicap",
                           "is for seeks for shogi without a handicap of their own");
}

std::uint64_t Fnv(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

}  // namespace

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
  if (Status handicap = CheckSuggestion(terms, challenge); !handicap) {
    return std::move(handicap).error();
  }
  pb::GameTerms normal;
  *normal.mutable_setup() = start->setup;
  normal.set_suggest_handicap(terms.suggest_handicap());
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
  key.set_suggest_handicap(terms.suggest_handicap());
  if (terms.has_options()) *key.mutable_options() = terms.options();
  *key.mutable_time_control() = control;
  return key.SerializeAsString();
}

std::string KindOf(const pb::GameTerms& terms) {
  pb::GameTerms key;
  key.ParseFromString(PoolOf(terms, {}));
  key.clear_time_control();
  const std::string text = key.SerializeAsString();
  // Kinds only sort seeks into waves: of two that collide, pools still keep the games apart.
  return std::to_string(Fnv(text, 14695981039346656037ull)) + "-" +
         std::to_string(Fnv(text, 88172645463325252ull));
}

std::uint64_t PoolNumber(const std::string& pool) { return Fnv(pool, 14695981039346656037ull); }

bool HasHandicap(const pb::GameTerms& terms) {
  const std::string& handicap = terms.setup().handicap();
  return !handicap.empty() && handicap != "none";
}

}  // namespace komadai::matchmaking
