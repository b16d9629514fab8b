// All services in one process over in-process channels: the embedded default.
#pragma once

#include <string>
#include <vector>

namespace komadai::all_in_one {

// Serves until SIGTERM or SIGINT. `arguments` are the settings (without a program name). Returns
// the exit status.
int Serve(const std::vector<std::string>& arguments);

// Rates every game anew and compares; see services/rating/bind.h. Returns the exit status.
int RecomputeRatings(const std::vector<std::string>& arguments);

}  // namespace komadai::all_in_one
