// The pieces of xiangqi.
#pragma once

#include "libs/rules/types.h"

namespace komadai::rules::xiangqi {

inline constexpr Kind kGeneral{1};
inline constexpr Kind kAdvisor{2};
inline constexpr Kind kElephant{3};
inline constexpr Kind kHorse{4};
inline constexpr Kind kChariot{5};
inline constexpr Kind kCannon{6};
inline constexpr Kind kSoldier{7};

}  // namespace komadai::rules::xiangqi
