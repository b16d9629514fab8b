#include "libs/convert/variant.h"

#include <string>

namespace komadai::convert {

Result<rules::Variant> VariantFromProto(pb::Variant variant) {
  switch (variant) {
    case pb::VARIANT_SHOGI:
      return rules::Variant::kShogi;
    case pb::VARIANT_MINISHOGI:
      return rules::Variant::kMinishogi;
    case pb::VARIANT_XIANGQI:
      return rules::Variant::kXiangqi;
    default:
      return Error(kUnknownVariant, "unknown variant " + std::to_string(variant),
                   {{"variant", std::to_string(variant)}});
  }
}

pb::Variant ToProto(rules::Variant variant) {
  switch (variant) {
    case rules::Variant::kShogi:
      return pb::VARIANT_SHOGI;
    case rules::Variant::kMinishogi:
      return pb::VARIANT_MINISHOGI;
    case rules::Variant::kXiangqi:
      return pb::VARIANT_XIANGQI;
  }
  return pb::VARIANT_UNSPECIFIED;
}

std::optional<rules::Side> SideFromProto(pb::Side side) {
  if (side == pb::SIDE_FIRST) return rules::Side::kFirst;
  if (side == pb::SIDE_SECOND) return rules::Side::kSecond;
  return std::nullopt;
}

pb::Side ToProto(rules::Side side) {
  return side == rules::Side::kFirst ? pb::SIDE_FIRST : pb::SIDE_SECOND;
}

pb::Side ToProto(std::optional<rules::Side> side) {
  return side ? ToProto(*side) : pb::SIDE_UNSPECIFIED;
}

}  // namespace komadai::convert
