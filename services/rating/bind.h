// The rating service as a component of a process.
#pragma once

#include "libs/rpc/component.h"

namespace komadai::rating {

rpc::ComponentSpec RatingComponent();

}  // namespace komadai::rating
