// Trace: the last lines of what happened, for whoever has to understand a failing schedule.
//
// Off in ordinary runs, in which nothing is formatted; a failing seed is run again with it on.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/time.h"

namespace komadai::simulation {

class Trace {
 public:
  // Keeps the last `lines`; 0: off.
  explicit Trace(std::size_t lines) : limit_(lines) {}

  bool on() const { return limit_ > 0; }
  void Add(Millis elapsed, std::string_view actor, const std::string& what);
  std::vector<std::string> Lines() const { return {lines_.begin(), lines_.end()}; }

 private:
  const std::size_t limit_;
  std::deque<std::string> lines_;
};

}  // namespace komadai::simulation
