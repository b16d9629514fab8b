// What every database behind libs/sql can store, checked in one place so that a store behaves the
// same on all of them.
#pragma once

#include "libs/base/result.h"
#include "libs/sql/value.h"

namespace komadai::sql {

// INVALID_VALUE for text that is not UTF-8 or contains NUL, and for NaN and infinities.
Status CheckParams(const Params& params);

}  // namespace komadai::sql
