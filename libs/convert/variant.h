// Variants and sides between the contract and the law.
#pragma once

#include <optional>

#include "komadai/common/v1/game_setup.pb.h"
#include "libs/base/result.h"
#include "libs/rules/types.h"

namespace komadai::convert {

namespace pb = ::komadai::common::v1;

inline constexpr Reason kUnknownVariant{Code::kInvalidArgument, "UNKNOWN_VARIANT"};

// INVALID_ARGUMENT/UNKNOWN_VARIANT, also for VARIANT_UNSPECIFIED.
Result<rules::Variant> VariantFromProto(pb::Variant variant);
pb::Variant ToProto(rules::Variant variant);

// Nothing for SIDE_UNSPECIFIED and numbers that mean nothing.
std::optional<rules::Side> SideFromProto(pb::Side side);
pb::Side ToProto(rules::Side side);
pb::Side ToProto(std::optional<rules::Side> side);

}  // namespace komadai::convert
