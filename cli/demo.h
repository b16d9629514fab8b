// `komadai demo`: a whole recorded game, played against a running server.
#pragma once

#include <string>

#include "libs/base/time.h"

namespace komadai::cli {

struct DemoOptions {
  std::string target;
  std::string record;  // file with one USI line; empty: the game that comes with the program
  Millis pause{0};     // between moves
};

// 0 and the last line `demo: ok plies=N result=... kifu=ID`, or 1 and why not on stderr.
int RunDemo(const DemoOptions& options);

}  // namespace komadai::cli
