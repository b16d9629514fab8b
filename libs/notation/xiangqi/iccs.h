// ICCS notation of xiangqi: "H2-E2". ParseUcci reads it.
#pragma once

#include <string>

#include "libs/rules/types.h"

namespace komadai::notation {

std::string FormatIccs(rules::Move move);

}  // namespace komadai::notation
