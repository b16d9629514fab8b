// A command as a function, with what it wrote. Tests only.
#pragma once

#include <sstream>
#include <string>

#include "cli/law.h"

namespace komadai::cli {

struct Ran {
  int status = 0;
  std::string out;
  std::string err;

  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

template <typename Options>
Ran RunCommand(int (*run)(const Options&, const Streams&), const Options& options,
               const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  Ran ran;
  ran.status = run(options, Streams{in, out, err});
  ran.out = out.str();
  ran.err = err.str();
  return ran;
}

}  // namespace komadai::cli
