// Display names: what a player may be called.
#pragma once

#include <string>
#include <string_view>

#include "libs/base/random.h"
#include "libs/base/result.h"

namespace komadai {

inline constexpr Reason kInvalidName{Code::kInvalidArgument, "INVALID_NAME"};
// It is, or looks like, a name of the servers or their operators.
inline constexpr Reason kNameReserved{Code::kInvalidArgument, "NAME_RESERVED"};

inline constexpr std::size_t kNameCharactersMax = 24;

// `raw` without control characters, invisible and direction-changing ones (which would disturb the
// text around a name) and without stacks of combining marks; runs of white space become one space.
// INVALID_NAME if nothing is left, if more than 24 characters are, if it is not UTF-8, or if it
// mixes scripts so that it can pass for another name. NAME_RESERVED.
Result<std::string> CleanName(std::string_view raw);

// The same for a name that another system gives and that cannot be refused: cut to 24 characters,
// "Player" where nothing is left or the name is reserved.
std::string NameFromElsewhere(std::string_view raw);

// A name for a guest who gave none: "Guest 4821".
std::string MadeUpName(Random& random);

}  // namespace komadai
