// `komadai serve`: all services in one process, everything kept in one SQLite file.
#pragma once

#include <string>
#include <vector>

namespace komadai::cli {

// `arguments` follow the word "serve". Blocks until SIGTERM or SIGINT; the exit status.
int RunServe(const std::vector<std::string>& arguments);

}  // namespace komadai::cli
