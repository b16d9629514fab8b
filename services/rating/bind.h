// The rating service as a component of a process.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "libs/rpc/component.h"
#include "libs/sql/database.h"
#include "services/rating/config.h"

namespace komadai::rating {

rpc::ComponentSpec RatingComponent();
// The component on that database, for tests.
rpc::ComponentSpec RatingComponentOn(std::shared_ptr<sql::Database> database, RatingConfig config);

// The command `komadai rating recompute`; `arguments` follow those words. Prints each finding and a
// last line `rating: N games, ...`; exit status 0 if everything is as it should be, 1 for findings
// (also repaired ones), 2 for bad settings, 3 if the database does not answer.
int RunRecompute(const std::vector<std::string>& arguments);

}  // namespace komadai::rating
