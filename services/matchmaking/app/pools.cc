#include "services/matchmaking/app/pools.h"

#include <cstdint>
#include <string_view>

namespace komadai::matchmaking {
namespace {

std::uint64_t Fnv(std::string_view text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return hash;
}

}  // namespace

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
  // Kinds only sort seeks into waves. If two collide, the pools still keep the games apart.
  return std::to_string(Fnv(text, 14695981039346656037ull)) + "-" +
         std::to_string(Fnv(text, 88172645463325252ull));
}

std::uint64_t PoolNumber(const std::string& pool) { return Fnv(pool, 14695981039346656037ull); }

bool HasHandicap(const pb::GameTerms& terms) {
  const std::string& handicap = terms.setup().handicap();
  return !handicap.empty() && handicap != "none";
}

}  // namespace komadai::matchmaking
