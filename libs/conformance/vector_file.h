// Checks a file of vectors: JSON Lines, one record a line.
#pragma once

#include <functional>
#include <istream>
#include <string>

#include "libs/conformance/judge.h"
#include "libs/conformance/record_check.h"

namespace komadai::conformance {

struct Tally {
  int passed = 0;
  int failed = 0;
  int skipped = 0;

  int records() const { return passed + failed + skipped; }
};

struct CheckedRecord {
  int line = 0;    // from 1
  std::string id;  // "?" if the record has none
  CheckResult result;
};

// Checks every line; a line that is not JSON fails, blank lines are skipped. `see` is called for
// each record in turn.
Tally CheckLines(std::istream& lines, Judge& judge, const CheckOptions& options,
                 const std::function<void(const CheckedRecord&)>& see);

}  // namespace komadai::conformance
