// The contract's results in the words of the law.
#pragma once

#include <optional>

#include "komadai/common/v1/result.pb.h"
#include "libs/base/result.h"
#include "libs/rules/types.h"
#include "libs/rules/verdict.h"

namespace komadai::remotejudge {

// A result that no rule can have.
inline constexpr Reason kBadAnswer{Code::kInternal, "BAD_ANSWER"};

// What the contract leaves to the context of a result.
struct VerdictContext {
  // Who declared an impasse; not set: both agreed, and the side with too few points loses.
  std::optional<rules::Side> declarer = std::nullopt;
  // Whether points were counted at the ply limit: drawn points are not told from no count.
  bool limit_counted_points = false;
};

Result<rules::Verdict> VerdictOf(const common::v1::GameResult& result,
                                 const VerdictContext& context);

}  // namespace komadai::remotejudge
